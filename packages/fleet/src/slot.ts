import { Failure, requireAllowed } from "@agent-control/base";
import type { FleetPorts } from "./fleet-ports.ts";

export interface Slot {
  /** Launch id of the caller. */
  readonly caller: string;
  readonly kind: "send" | "spawn";
  /** Per minute. */
  readonly limit: number;
}

/**
 * Runs `body`, which reserves one slot of the caller's rate window when it gets that far (a `rate-limited` Failure
 * when there is none). Success uses the slot, and so does a failure that says it had typed; any other gives it back.
 */
export async function withSlot<T>(
  ports: FleetPorts,
  slot: Slot,
  body: (reserve: () => Promise<void>) => Promise<T>,
): Promise<T> {
  let giveBack: (() => Promise<void>) | undefined;
  const reserve = async () => {
    const answer = await ports.rate.reserve(slot.caller, slot.kind, slot.limit);
    if (!answer.allow) return requireAllowed(answer);
    giveBack = answer.giveBack;
  };
  try {
    return await body(reserve);
  } catch (error) {
    const typed = error instanceof Failure && error.details["typed"] === true;
    // A slot that cannot be given back leaves with its window; the call's own error is the one to tell.
    if (!typed) await giveBack?.().catch(() => undefined);
    throw error;
  }
}
