import type { TaskSeen } from "@agent-control/instances";

/** A moment in the guest as an instant; the guest's clock may say anything. */
export function instantOf(ms: number | undefined): string | undefined {
  if (ms === undefined || Number.isNaN(new Date(ms).getTime())) return undefined;
  return new Date(ms).toISOString();
}

/** True when the task will not change any more by itself; `attached`: a person goes on with what it began. */
export function isOver({ state }: TaskSeen): boolean {
  return state === "finished" || state === "lost" || state === "attached";
}

/** What an instance that could not be asked says of a task. */
export const unseen: TaskSeen = {
  state: "unknown",
  exitCode: undefined,
  startedAt: undefined,
  lastActivityAt: undefined,
  stdoutBytes: 0,
  stderrBytes: 0,
};
