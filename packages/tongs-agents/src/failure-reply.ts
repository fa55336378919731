import { type Failure, renderFailure } from "@agent-control/base";
import type { FailureReply } from "@agent-control/mcp";

/** The page's object for a refused or failed call. A time-out and an unreachable multiplexer are `error` here. */
export const controlFailureReply: FailureReply = (failure) => ({ structured: failureObject(failure) });

function failureObject(failure: Failure): Readonly<Record<string, unknown>> {
  const { outcome, exitCode, code, details } = failure;
  const known = new Set(["refused", "rate-limited", "exited", "unsupported", "cancelled"]);
  const shown = ["retry_after_s", "state", "launch_id", "screen_text"].filter(
    (key) => details[key] !== undefined,
  );
  return {
    ok: false,
    outcome: known.has(outcome) ? outcome : "error",
    exit_code: exitCode,
    error: renderFailure(failure),
    code,
    ...(outcome === "timeout" ? { timed_out: true } : {}),
    ...Object.fromEntries(shown.map((key) => [key, details[key]])),
  };
}
