import type { Keys } from "@agent-control/incus";
import type { BuiltTemplate, Template } from "./templates.ts";

/** Making usable copies of built templates and of instances. */
export interface Branching {
  /** What is built, by template name, in one listing. */
  built(signal?: AbortSignal): Promise<ReadonlyMap<string, BuiltTemplate>>;
  /**
   * Copies, starts and waits until the instance is usable (its bus answers and, unless airgapped, it has its
   * address). Checks everything first and refuses before it does anything. The one copy request clears every
   * inherited stamp, grant and address and writes the new ones. A half-made copy is removed again when it fails.
   */
  branch(request: BranchRequest): Promise<Branched>;
}

export interface BranchRequest {
  readonly name: string;
  readonly from:
    | { readonly template: Template }
    /** A stopped instance; `template` is what its profile stamp names. */
    | { readonly instance: string; readonly template: Template };
  /** Extra keys of the copy request, e.g. the MCP stamp; they win over what branching writes itself. */
  readonly stamp: Keys;
  readonly network?: "full" | "proxy-only" | "airgap";
  readonly limits?: { readonly cpu?: number; readonly memory?: string; readonly disk?: string };
  readonly start?: boolean;
  readonly onStep?: (text: string) => void;
  readonly signal?: AbortSignal;
}

export interface Branched {
  readonly name: string;
  /** Undefined when airgapped or not started. */
  readonly address: string | undefined;
  readonly workdir: string;
}
