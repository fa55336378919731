import { Failure } from "@agent-control/base";
import { readState, type StateReading } from "./state.ts";
import type { PanePorts, Subject } from "./subject.ts";

const patienceMs = 5_000;

/**
 * Reads the state again and again. A multiplexer that cannot be asked is forgiven for 5 s, in which there is no
 * reading. With `processIsEnough` a harness without a status counts as working until its process ends.
 */
export function createPatientReader(
  ports: PanePorts,
  subject: Subject,
  processIsEnough: boolean,
): () => Promise<StateReading | undefined> {
  let failingSince: number | undefined;
  return async () => {
    try {
      const reading = await readState(ports, subject);
      failingSince = undefined;
      return reading;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.outcome === "unsupported" && processIsEnough) return running;
      if (error.outcome !== "unavailable") throw error;
      failingSince ??= ports.clock.monotonic();
      if (ports.clock.monotonic() - failingSince >= patienceMs) throw error;
      return undefined;
    }
  };
}

const running: StateReading = {
  state: "working",
  since: 0,
  detail: "",
  source: "process",
  turnSequence: 0,
  dialog: undefined,
};
