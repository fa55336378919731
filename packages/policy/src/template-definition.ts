/** One template file of isx as it was written, defaults not filled in: absent keys are absent. */
export interface TemplateDefinition {
  /** `[a-z][a-z0-9-]{0,47}`, no "-" at the end. */
  readonly name: string;
  readonly description?: string;
  /** Only of a root: a local alias, or `images:debian/12`. */
  readonly image?: string;
  readonly parent?: string;
  readonly packages?: readonly string[];
  readonly removePackages?: readonly string[];
  /** Names of recipes. */
  readonly tools?: readonly string[];
  readonly repos?: readonly TemplateRepo[];
  readonly skills?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: readonly GuestFileText[];
  /** Passed whole to `bash -c`, as root. */
  readonly run?: readonly string[];
  /** Passed whole to `bash -lc`, as agentuser. */
  readonly runAsUser?: readonly string[];
  /** Absolute, or below ~. */
  readonly workdir?: string;
  readonly shellCommand?: string;
  readonly defaultAction?: string;
  /** Namespace → account. */
  readonly accounts?: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly network?: NetworkMode;
  readonly resources?: TemplateResources;
  readonly coordinator?: {
    readonly controlOver?: readonly string[];
    readonly isxControlCapability?: boolean;
  };
}

export type NetworkMode = "full" | "proxy-only" | "airgap";

export interface TemplateRepo {
  /** https only. */
  readonly url: string;
  readonly path?: string;
  readonly branch?: string;
  readonly prime?: string;
}

export interface GuestFileText {
  readonly path: string;
  readonly content: string;
  /** Default agentuser below its home, else root. */
  readonly owner?: "root" | "agentuser";
  /** Permission bits, e.g. 0o644. */
  readonly mode?: number;
}

export interface TemplateResources {
  /** Whole CPUs, at least 1. */
  readonly cpu?: number;
  /** Incus sizes, e.g. "4GiB". */
  readonly memory?: string;
  readonly disk?: string;
}

/** One recipe file: how a tool gets into an image. */
export interface RecipeDefinition {
  readonly name: string;
  readonly description?: string;
  /** Recipes that come first. */
  readonly requires?: readonly string[];
  readonly packages?: readonly string[];
  readonly downloads?: readonly RecipeDownload[];
  readonly run?: readonly string[];
  readonly runAsUser?: readonly string[];
  readonly files?: readonly GuestFileText[];
  readonly env?: Readonly<Record<string, string>>;
  /** Run as agentuser at the end of the build; a failure fails the build. */
  readonly verify?: string;
  readonly domains?: readonly string[];
  readonly agent?: { readonly name: string; readonly delegate: boolean };
}

export interface RecipeDownload {
  readonly url: string;
  /** 64 hex digits. */
  readonly sha256: string;
  /** Absolute path in the guest. */
  readonly to: string;
  /** Unpacks a tar archive into the directory `to`. */
  readonly extract?: boolean;
}
