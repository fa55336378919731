import { Failure } from "@agent-control/base";
import {
  awaitState,
  type Delivery,
  deliver,
  type PromptMark,
  readState,
  type StateReading,
  type Until,
  type WaitEnd,
} from "@agent-control/panes";
import type { FleetPorts } from "./fleet-ports.ts";
import { lastSend, rememberSend } from "./last-send.ts";
import { verifiedSubject } from "./subject.ts";

export interface SendOptions {
  /** Who sends: a launch id, or "person". */
  readonly caller: string;
  readonly answerDialogs: boolean;
  readonly whileWorking: "allow" | "refuse";
  /** Milliseconds to look for the turn; 0 = do not. */
  readonly turnMs: number;
  readonly signal?: AbortSignal;
}

const readyMs = 30_000;

/** Verifies the launch, pastes the text and presses Enter; see `deliver` for what is refused. */
export async function sendText(
  ports: FleetPorts,
  launchId: string,
  text: string,
  options: SendOptions,
): Promise<Delivery> {
  const { subject, panePorts } = await verifiedSubject(ports, launchId);
  const remember = (mark: PromptMark) => rememberSend(ports, { launchId, caller: options.caller }, mark);
  const delivery = await deliver(panePorts, subject, text, { ...options, readyMs, onSubmitted: remember });
  if (delivery.mark.turnStarted) remember(delivery.mark);
  return delivery;
}

/** Verifies the launch and reads what its agent does. An agent that has ended is the state `exited`. */
export async function launchState(ports: FleetPorts, launchId: string): Promise<StateReading> {
  try {
    const { subject, panePorts } = await verifiedSubject(ports, launchId);
    return await readState(panePorts, subject);
  } catch (error) {
    if (isExit(error)) return exited;
    throw error;
  }
}

export interface WaitRequest {
  readonly caller: string;
  readonly until: Until;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly verifyCaller: () => Promise<void>;
  readonly progress: (line: string) => void;
}

/** Verifies the launch and waits for its agent's state; see `awaitState` for how it ends. */
export async function waitForState(
  ports: FleetPorts,
  launchId: string,
  request: WaitRequest,
): Promise<WaitEnd> {
  try {
    const { subject, panePorts } = await verifiedSubject(ports, launchId);
    const after = lastSend(ports, { launchId, caller: request.caller });
    return await awaitState(panePorts, subject, { ...request, ...(after ? { after } : {}) });
  } catch (error) {
    if (!isExit(error)) throw error;
    if (request.until !== "exited" && request.until !== "attention") throw asExited(error);
    return { reading: exited, turnStarted: undefined };
  }
}

/** The process has ended, or its pane is no longer where it was: for a state both are the end. */
function isExit(error: unknown): error is Failure {
  return error instanceof Failure && (error.outcome === "exited" || error.code === "pane-not-listed");
}

function asExited(failure: Failure): Failure {
  const { code, message, next } = failure;
  return new Failure("exited", { code, message, next, cause: failure, details: { state: "exited" } });
}

const exited: StateReading = {
  state: "exited",
  since: 0,
  detail: "",
  source: "process",
  turnSequence: 0,
  dialog: undefined,
};
