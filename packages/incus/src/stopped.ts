import type { Daemon } from "./daemon.ts";
import { refused } from "./incus-failure.ts";
import { operationListSchema, startSchema } from "./wire.ts";

export interface Since {
  readonly instance: string;
  /** ISO-8601 instant of the daemon's clock. */
  readonly since: string;
}

/** The instance stops now, is stopped or gone, or was started anew since then. */
export async function hasStopped(
  daemon: Daemon,
  { instance, since }: Since,
  signal?: AbortSignal,
): Promise<boolean> {
  const reply = await daemon.ask({ method: "GET", path: ["instances", instance, "state"], signal });
  if (reply.type === "refused") {
    const { code } = reply.refusal;
    if (code === "instance-stopping" || code === "instance-not-found") return true;
    throw refused(reply.refusal, `show the state of ${instance}`);
  }
  const state = startSchema.parse(reply.type === "sync" ? reply.metadata : undefined);
  if (state.status !== "Running" || Date.parse(state.started_at) > Date.parse(since)) return true;
  return isBeingStopped(daemon, instance, signal);
}

/** A graceful stop ends programs long before the instance's status changes. */
async function isBeingStopped(daemon: Daemon, instance: string, signal?: AbortSignal): Promise<boolean> {
  const query = { recursion: "1" };
  const seen = await daemon.look(["operations"], operationListSchema, { query, signal });
  const path = `/1.0/instances/${instance}`;
  return (seen?.value.running ?? []).some(
    ({ description, resources }) =>
      /^(Stopping|Restarting) instance/.test(description) &&
      resources?.["instances"]?.some((resource) => resource.split("?")[0] === path),
  );
}
