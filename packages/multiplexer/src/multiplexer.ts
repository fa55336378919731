/** A session of a terminal multiplexer, by what never changes while it lives. */
export interface SessionRef {
  /** Real path of the server's socket. */
  readonly socket: string;
  /** tmux: its `$id`, which survives a rename. Zellij: its name. */
  readonly id: string;
  /** The name when it was looked at; for people only. */
  readonly name: string;
}

export interface PaneRef {
  readonly session: SessionRef;
  /** E.g. "%5" or "terminal_3". */
  readonly paneId: string;
}

/** What one multiplexer can tell or do; callers branch on these, never on a name. */
export interface Capabilities {
  /** The pid of a pane's process is known. */
  readonly panePid: boolean;
  /** Copy mode, input off and synchronised panes can be seen. */
  readonly paneModes: boolean;
  /** A pane can be opened without moving anybody's focus. */
  readonly detachedOpen: boolean;
  /** Most bytes one paste can carry. */
  readonly maxPasteBytes: number;
  /** Whether it can be known that the program in the pane asked for bracketed paste. */
  readonly bracketedPasteKnown: boolean;
  /** Characters that the name of a new session may not hold, and what they become; none when left out. */
  readonly changedInNames?: Readonly<Record<string, string>>;
}

export interface ServerSeen {
  /** Pid of the multiplexer's server process. */
  readonly pid: number;
  readonly version: string;
}

export interface PaneSeen {
  readonly paneId: string;
  /** Undefined when the multiplexer cannot tell (see `Capabilities`). */
  readonly pid: number | undefined;
  /** Pid of the server that answered; undefined when the list does not tell it: ask `server` then. */
  readonly serverPid: number | undefined;
  /** The program ended and the pane is kept. */
  readonly dead: boolean;
  readonly deadStatus: number | undefined;
  readonly inMode: boolean;
  readonly inputOff: boolean;
  readonly synchronized: boolean;
  /** True or false where it is known, else undefined. */
  readonly bracketedPaste: boolean | undefined;
  readonly title: string;
  readonly width: number;
  readonly height: number;
}

export interface OpenRequest {
  readonly session: SessionRef;
  /** Exact argv of the pane's process; at least two elements, so that no multiplexer hands it to a shell. */
  readonly argv: readonly string[];
  /** Window or pane name, `[A-Za-z0-9._-]{1,64}`. */
  readonly name: string;
  /** Keep the pane when the program ends, until `release` is called. */
  readonly keepWhenDead: boolean;
}

/** A program that a person's terminal runs, with exactly this environment. */
export interface Attachment {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** The pane that a guarded act expects to hit; the act does nothing unless all of it holds at that moment. */
export interface Target {
  readonly pane: PaneRef;
  readonly serverPid: number;
  /** Where the multiplexer knows pids. */
  readonly panePid: number | undefined;
}

/** Why a guarded act did nothing. */
export type Obstacle =
  | "gone"
  | "other-server"
  | "other-process"
  | "dead"
  | "in-mode"
  | "input-off"
  | "synchronized";

export type Acted = { readonly done: true } | { readonly done: false; readonly obstacle: Obstacle };

export interface Screen {
  /** One per row from the top, blank rows too, without control sequences and without blanks at the end. */
  readonly lines: readonly string[];
  readonly title: string;
  /** Counted from 0. */
  readonly cursor: { readonly row: number; readonly column: number };
  readonly width: number;
  readonly height: number;
}

/**
 * A terminal multiplexer, reached through its own command-line client. "Could not look" (time-out, crashed
 * client, unreadable answer) is always Failure `unavailable`, never "absent".
 */
export interface Multiplexer {
  readonly name: "tmux" | "zellij";
  readonly capabilities: Capabilities;
  /** The server on this socket; undefined when none answers there. Never starts one. */
  server(socket: string): Promise<ServerSeen | undefined>;
  /** Every session on this socket; [] when there is no server. */
  sessions(socket: string): Promise<SessionRef[]>;
  /** Starts a detached session whose first pane runs `argv`; makes the server when there is none. Refuses a taken name. */
  createSession(request: {
    readonly socket: string;
    readonly name: string;
    readonly argv: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly width?: number;
    readonly height?: number;
  }): Promise<PaneRef>;
  /**
   * The program that shows the session on the terminal that runs it, until the person leaves. On a terminal inside
   * the same server it moves that terminal there and ends. Throws `refused` inside another server, where two would
   * listen to the same keys.
   */
  attachment(session: SessionRef): Attachment;
  /** Panes of exactly that session; undefined when the session (or the server) does not exist. */
  panes(session: SessionRef): Promise<PaneSeen[] | undefined>;
  /** Opens a pane in its own window; focus stays. Never creates a session. */
  open(request: OpenRequest): Promise<PaneRef>;
  /**
   * Ends `keepWhenDead`: from now on the person's own setting decides, which by default closes the pane with its
   * program, also a program that has ended by then. A pane that is gone is no error.
   */
  release(pane: PaneRef): Promise<void>;
  /** Pastes exactly `text` as one bracketed paste, if the target holds. The text is never in an argv where the multiplexer allows. */
  paste(target: Target, text: string): Promise<Acted>;
  /** Presses Enter once, if the target holds. */
  pressEnter(target: Target): Promise<Acted>;
  /** Sends one named key, if the target holds: for interrupting. */
  pressKey(target: Target, key: "Escape" | "C-c"): Promise<Acted>;
  /** The visible screen; undefined when the pane is gone. */
  screen(pane: PaneRef): Promise<Screen | undefined>;
  /** Brings the pane to the front of its session for attached clients; false when it is gone. */
  focus(pane: PaneRef): Promise<boolean>;
  /** Closes the pane; a pane that is gone is no error. */
  close(pane: PaneRef): Promise<void>;
}
