import { Failure } from "@agent-control/base";
import {
  awaitState,
  type Delivery,
  deliver,
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

/** Verifies the launch, pastes the text and presses Enter; see `deliver` for what is refused. */
export async function sendText(
  ports: FleetPorts,
  launchId: string,
  text: string,
  options: SendOptions,
): Promise<Delivery> {
  const { subject, panePorts } = await verifiedSubject(ports, launchId);
  const at = ports.clock.monotonic();
  const delivery = await deliver(panePorts, subject, text, { ...options, readyMs: 30_000 });
  rememberSend(ports, launchId, { caller: options.caller, turnSequence: delivery.turnSequenceBefore, at });
  return delivery;
}

/** Verifies the launch and reads what its agent does. An agent that has ended is the state `exited`. */
export async function launchState(ports: FleetPorts, launchId: string): Promise<StateReading> {
  try {
    const { subject, panePorts } = await verifiedSubject(ports, launchId);
    return await readState(panePorts, subject);
  } catch (error) {
    if (!(error instanceof Failure) || error.outcome !== "exited") throw error;
    return { state: "exited", since: 0, detail: "", source: "process", turnSequence: 0, dialog: undefined };
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
    const after = lastSend(ports, launchId, request.caller);
    return await awaitState(panePorts, subject, { ...request, ...(after ? { after } : {}) });
  } catch (error) {
    const wanted = request.until === "exited" || request.until === "attention";
    if (!wanted || !(error instanceof Failure) || error.outcome !== "exited") throw error;
    const reading: StateReading = {
      state: "exited",
      since: 0,
      detail: "",
      source: "process",
      turnSequence: 0,
      dialog: undefined,
    };
    return { reading, turnStarted: undefined };
  }
}
