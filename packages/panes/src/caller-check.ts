import { type Clock, Failure } from "@agent-control/base";

const verifyEveryMs = 5_000;

/** Asks `verify` about every 5 s; throws the refusal when it failed twice in a row, for whatever reason. */
export function createCallerCheck(clock: Clock, verify: () => Promise<void>): () => Promise<void> {
  let last = clock.monotonic();
  let failed = 0;
  return async () => {
    if (clock.monotonic() - last < verifyEveryMs) return;
    last = clock.monotonic();
    try {
      await verify();
      failed = 0;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failed += 1;
      if (failed >= 2) throw callerLost(error);
    }
  };
}

function callerLost(cause: Failure): Failure {
  return new Failure("refused", {
    code: "caller-not-verified",
    message: `The caller no longer verifies: ${cause.message}`,
    next: cause.next,
    cause,
  });
}
