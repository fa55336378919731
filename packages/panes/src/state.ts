import type { Status, StatusRecord } from "@agent-control/activity";
import { Failure } from "@agent-control/base";
import type { ScreenReading } from "@agent-control/harness";
import type { PanePorts, Subject } from "./subject.ts";

export type PaneState = "working" | "waiting" | "done" | "starting" | "error" | "exited";

export interface StateReading {
  readonly state: PaneState;
  /** Milliseconds since the epoch of the event behind the state; 0 when only the screen or process tells. */
  readonly since: number;
  readonly detail: string;
  readonly source: "hook" | "screen" | "process";
  /** Sequence of the newest "a turn began" event; 0 when there was none. */
  readonly turnSequence: number;
  /** What is asked, when a dialog is open. */
  readonly dialog: string | undefined;
}

/**
 * What the agent does now: its newest hook event, checked against the markers on its screen, since an interrupt
 * and some dialogs fire no hook. Throws `unsupported` for a harness that reports nothing and has no markers.
 */
export async function readState(ports: PanePorts, subject: Subject): Promise<StateReading> {
  const record = await ports.activity.ofLaunch(subject.launchId);
  if (!subject.isAlive()) return ended(record);
  const { harness } = subject;
  if (!harness.reportsStatus && record === undefined) {
    throw new Failure("unsupported", {
      code: "status-unsupported",
      message: `${harness.title} does not report a status; its process is alive`,
      next: 'Wait for until: "exited", or look at the pane',
      details: { alive: true },
    });
  }
  const reading = await readScreen(ports, subject);
  if (reading === undefined) return ended(record);
  return combine(record, reading);
}

/**
 * The harness's reading of the visible screen; undefined when the pane is gone. Throws `unavailable` when no server
 * answers while the agent's process lives: its socket may have been deleted, which ends nothing.
 */
export async function readScreen(ports: PanePorts, subject: Subject): Promise<ScreenReading | undefined> {
  const { multiplexer } = ports;
  const { pane } = subject.target;
  const screen = await multiplexer.screen(pane);
  if (screen !== undefined) return subject.harness.readScreen(screen);
  const server = await multiplexer.server(pane.session.socket);
  if (server === undefined && subject.isAlive()) throw unreachable(multiplexer.name, pane.session.socket);
  return undefined;
}

function unreachable(name: string, socket: string): Failure {
  return new Failure("unavailable", {
    code: "multiplexer-unreachable",
    message: `No ${name} server answers on ${socket}, but the agent's process is alive`,
    next: "See whether the multiplexer's socket was deleted, then try again",
  });
}

/** A visible dialog is waiting; an idle box is done; a running turn is working; else the hook's word stands. */
export function combine(record: StatusRecord | undefined, screen: ScreenReading): StateReading {
  const hook = wordOf(record);
  const base = { turnSequence: record?.turnSequence ?? 0, dialog: screen.dialog?.quote };
  const seen = (state: PaneState, detail = ""): StateReading =>
    hook?.state === state
      ? { ...base, ...hook, source: "hook" }
      : { ...base, state, detail, since: 0, source: "screen" };
  switch (screen.state) {
    case "dialog":
      return seen("waiting", screen.dialog?.kind ?? "choice");
    case "startup":
      return seen("starting", screen.dialog?.kind ?? "startup");
    case "working":
      return seen("working");
    case "idle":
    case "draft":
      return seen(hook?.state === "error" ? "error" : "done");
    case "unknown":
      return seen(hook?.state ?? "starting");
  }
}

interface Word {
  readonly state: PaneState;
  readonly detail: string;
  readonly since: number;
}

/** What the newest hook event says; nothing for "ended", since the process still lives. */
function wordOf(record: StatusRecord | undefined): Word | undefined {
  if (record === undefined || record.status === "ended") return undefined;
  const { detail, ts: since } = record;
  return { state: stateOf(record.status, detail), detail, since };
}

function stateOf(status: Exclude<Status, "ended">, detail: string): PaneState {
  if (status === "started") return "starting";
  return status === "waiting" && detail === "idle" ? "done" : status;
}

function ended(record: StatusRecord | undefined): StateReading {
  return {
    state: "exited",
    since: record?.status === "ended" ? record.ts : 0,
    detail: "",
    source: "process",
    turnSequence: record?.turnSequence ?? 0,
    dialog: undefined,
  };
}
