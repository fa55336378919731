import type { TaskState } from "./guest.ts";

/** The instances of one session, and what it may do with others of the same person. */
export interface Holdings {
  /** This session's id. */
  readonly session: string;
  /** Throws unless this session holds the instance now, by its stamp; each other case has its own refusal. */
  require(name: string, signal?: AbortSignal): Promise<Held>;
  create(request: CreateHolding): Promise<Created>;
  fork(request: ForkHolding): Promise<Created>;
  list(signal?: AbortSignal): Promise<readonly Listed[]>;
  adopt(name: string, options: AdoptOptions): Promise<Adopted>;
  stop(name: string, options: { readonly force: boolean; readonly signal?: AbortSignal }): Promise<Stopped>;
  start(name: string, signal?: AbortSignal): Promise<Started>;
  destroy(name: string, signal?: AbortSignal): Promise<{ readonly already: boolean }>;
  keep(name: string, signal?: AbortSignal): Promise<void>;
  /** At the session's end: marks what it holds as released, destroys nothing, best effort. */
  release(): Promise<void>;
}

export interface Held {
  readonly name: string;
  readonly template: string;
  readonly purpose: string | undefined;
  readonly status: string;
  readonly workdir: string;
  readonly kept: boolean;
}

/** What a person allows now, of mcp.yaml. */
export interface HoldingLimits {
  readonly maxInstances: number;
  readonly isApproved: (template: string) => boolean;
}

export interface CreateHolding {
  readonly template: string;
  readonly hint: string | undefined;
  /** One line, at most 200 characters. */
  readonly purpose: string | undefined;
  readonly client: string | undefined;
  readonly limits: HoldingLimits;
  readonly onStep?: (text: string) => void;
  readonly signal?: AbortSignal;
}

export interface ForkHolding extends Omit<CreateHolding, "template"> {
  readonly source: string;
}

export interface Created {
  readonly name: string;
  readonly template: string;
  readonly forkedFrom: string | undefined;
  readonly address: string | undefined;
  readonly workdir: string;
}

export interface Listed {
  readonly name: string;
  readonly template: string;
  readonly purpose: string | undefined;
  readonly createdAt: string;
  readonly status: string;
  /** creating, ready: this session's; held: another live session's; destroying: anybody's who is of this person. */
  readonly state: "creating" | "ready" | "held" | "orphaned" | "destroying";
  readonly kept: boolean;
  readonly heldBy: string | undefined;
  readonly heldByClient: string | undefined;
  /** ISO-8601 instants. */
  readonly orphanedSince: string | undefined;
  readonly dormantSince: string | undefined;
  /** Only of this session's instances. */
  readonly tasks: readonly {
    readonly id: string;
    readonly kind: "command" | "agent";
    readonly state: TaskState;
  }[];
}

export interface AdoptOptions {
  readonly force: boolean;
  readonly client: string | undefined;
  readonly limits: HoldingLimits;
  readonly signal?: AbortSignal;
}

export interface Adopted {
  readonly name: string;
  readonly template: string;
  readonly purpose: string | undefined;
  readonly tasks: readonly string[];
  readonly warning: string | undefined;
}

export interface Stopped {
  readonly already: boolean;
  readonly forced: boolean;
  readonly cancelledTasks: readonly string[];
}

export interface Started {
  readonly already: boolean;
  readonly tasks: readonly string[];
  readonly warning: string | undefined;
}
