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

/** The harness's reading of the visible screen; undefined when the pane is gone. */
export async function readScreen(ports: PanePorts, subject: Subject): Promise<ScreenReading | undefined> {
  const screen = await ports.multiplexer.screen(subject.target.pane);
  return screen && subject.harness.readScreen(screen);
}

/** A visible dialog is waiting; an idle box is done; a running turn is working; else the hook's word stands. */
export function combine(record: StatusRecord | undefined, screen: ScreenReading): StateReading {
  const base = { since: record?.ts ?? 0, turnSequence: record?.turnSequence ?? 0, dialog: undefined };
  const hookState = record && stateOf(record.status, record.detail);
  const onScreen = (state: PaneState, detail = ""): StateReading =>
    hookState === state && record
      ? { ...base, state, detail: record.detail, source: "hook" }
      : { ...base, state, detail, source: "screen" };
  switch (screen.state) {
    case "dialog":
      return { ...onScreen("waiting", screen.dialog?.kind ?? "choice"), dialog: screen.dialog?.quote };
    case "startup":
      return { ...onScreen("starting", screen.dialog?.kind ?? "startup"), dialog: screen.dialog?.quote };
    case "working":
      return onScreen("working");
    case "idle":
    case "draft":
      return hookState === "error" && record
        ? { ...base, state: "error", detail: record.detail, source: "hook" }
        : onScreen("done");
    case "unknown":
      if (hookState === undefined || record === undefined) return onScreen("starting");
      return { ...base, state: hookState, detail: record.detail, source: "hook" };
  }
}

function stateOf(status: Status, detail: string): PaneState {
  switch (status) {
    case "started":
      return "starting";
    case "waiting":
      return detail === "idle" ? "done" : "waiting";
    case "ended":
      return "exited";
    default:
      return status;
  }
}

function ended(record: StatusRecord | undefined): StateReading {
  return {
    state: "exited",
    since: record?.ts ?? 0,
    detail: "",
    source: "process",
    turnSequence: record?.turnSequence ?? 0,
    dialog: undefined,
  };
}
