import { type Failure, renderFailure } from "@agent-control/base";
import type { FailureReply } from "@agent-control/mcp";

/** One sentence and what to do next; what programs need of it is in `_meta["isx/error"]`. */
export const isxFailureReply: FailureReply = (failure, given) => {
  const text = renderFailure(failure);
  return {
    text,
    meta: {
      "isx/error": {
        code: errorCode(failure),
        message: text,
        ...named("instance", failure, given),
        ...named("task_id", failure, given),
      },
    },
  };
};

/** The words of the wire; only `unavailable` and `busy` may end well when the same call is made again. */
type ErrorCode =
  | "invalid_argument"
  | "not_approved"
  | "not_found"
  | "not_held"
  | "wrong_state"
  | "busy"
  | "limit"
  | "unavailable"
  | "task_failed"
  | "refused"
  | "internal";

function errorCode({ code, outcome }: Failure): ErrorCode {
  const known = codes[code];
  if (known !== undefined) return known;
  if (outcome === "usage") return "invalid_argument";
  if (outcome === "rate-limited") return "limit";
  if (outcome === "exited" || outcome === "unsupported") return "wrong_state";
  return outcome === "refused" ? "refused" : "unavailable";
}

const codes: Readonly<Record<string, ErrorCode>> = {
  defect: "internal",
  busy: "busy",
  "instance-busy": "wrong_state",
  "instance-unknown": "not_found",
  "instance-foreign": "not_held",
  "instance-kept": "not_held",
  "instance-held": "not_held",
  "instance-coordinated": "not_held",
  "instance-orphaned": "not_held",
  "instance-creating": "wrong_state",
  "instance-half-made": "wrong_state",
  "instance-destroying": "busy",
  "instance-status": "wrong_state",
  "instance-not-stopped": "wrong_state",
  "instance-not-running": "wrong_state",
  "instance-limit": "limit",
  "instance-missing": "not_found",
  "instance-taken-away": "not_held",
  "stamp-contended": "busy",
  "command-unusable": "invalid_argument",
  "cwd-missing": "invalid_argument",
  "stdin-too-large": "invalid_argument",
  "task-unknown": "not_found",
  "task-limit": "limit",
  "task-running": "wrong_state",
  "task-lost": "task_failed",
  "template-not-approved": "not_approved",
  "template-unknown": "not_approved",
  "template-project-local": "not_approved",
  "template-not-built": "wrong_state",
  "template-running": "wrong_state",
};

/** Whom the failure is about, as it says itself or as the call named it. */
function named(key: "instance" | "task_id", { details }: Failure, given: unknown) {
  const value = details[key] ?? (given as Readonly<Record<string, unknown>> | undefined)?.[key];
  return typeof value === "string" ? { [key]: value.slice(0, nameCharacters) } : {};
}

const nameCharacters = 100;
