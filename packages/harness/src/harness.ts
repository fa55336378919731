export type HarnessId = "claude" | "codex" | "pi" | "opencode" | "none";

/** A visible screen, as a multiplexer hands it over. */
export interface ScreenSeen {
  /** The visible lines without control sequences; blanks at the end of a line may be missing. */
  readonly lines: readonly string[];
  readonly title: string;
  /** From 0. It tells a placeholder from a draft; without it only known placeholders are told. */
  readonly cursor?: { readonly row: number; readonly column: number };
}

/** What a harness shows on its screen now. */
export interface ScreenReading {
  /**
   * idle: its prompt box is empty and nothing runs. draft: text stands in the prompt box. working: a turn runs.
   * dialog: it asks for a permission or a choice. startup: a dialog before the first prompt (trust, key, update).
   * unknown: none of its markers is there.
   */
  readonly state: "idle" | "draft" | "working" | "dialog" | "startup" | "unknown";
  /** What is asked, one plain line, for dialog and startup. */
  readonly dialog?: {
    readonly kind: "permission" | "choice" | "trust" | "key" | "update" | "login" | "menu";
    readonly quote: string;
  };
  /** The text in the prompt box, where it can be read; beside `draft` also beside `working`. */
  readonly draft?: string;
}

export type ActivityStatus = "started" | "working" | "done" | "waiting" | "error" | "ended";

/** What one hook event of a harness means. */
export interface HookReading {
  readonly status: ActivityStatus;
  /** waiting: permission | choice | idle; error: the reason; else one short plain line or "". */
  readonly detail: string;
  readonly tool: string;
  readonly sessionId: string;
  readonly cwd: string;
  /** True for the event that says a prompt was accepted and a turn began. */
  readonly turnStarted: boolean;
}

/** A hook as the harness's own configuration names it. */
export interface HookPoint {
  /** The harness's event name, e.g. "UserPromptSubmit". */
  readonly event: string;
  /** Seconds the harness waits for the hook program. */
  readonly timeoutSeconds: number;
}

/** One agent CLI: data plus two functions. Nobody else knows how an agent CLI behaves. */
export interface Harness {
  readonly id: HarnessId;
  /** For people, e.g. "Claude Code". */
  readonly title: string;
  /** Program and npm package names, without folder, scope, version and ending, by which `harness = "auto"` knows it. */
  readonly programs: readonly string[];
  /** Whether hooks or events tell working, waiting and done; without, `agents_status` is `unsupported`. */
  readonly reportsStatus: boolean;
  /** How the first prompt is known to be safe to type: its first hook event, or an idle marker on a settled screen. */
  readonly readiness: "hook" | "screen" | "none";
  /**
   * What a prompt sent during a turn does there. queued: it waits for the turn's end. steered: the turn takes it up
   * once its answer or tool call is complete. interrupted: it cuts the answer off.
   */
  readonly midTurn: "queued" | "steered" | "interrupted" | "unknown";
  /** Milliseconds between the paste and the Enter that this harness needs at least. */
  readonly settleMs: number;
  /** Milliseconds to wait after the idle marker first shows. */
  readonly readyDelayMs: number;
  /** True when the harness takes a bracketed paste as one message. */
  readonly bracketedPaste: boolean;
  /** Prefixes after which a prompt may start no turn: "/" and "!" where they act at once. */
  readonly commandPrefixes: readonly string[];
  readonly hooks: readonly HookPoint[];
  readScreen(screen: ScreenSeen): ScreenReading;
  /** Undefined: the event says nothing about status, or is malformed. */
  readHook(event: string, payload: unknown): HookReading | undefined;
}
