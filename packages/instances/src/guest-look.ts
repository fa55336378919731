import { Failure } from "@agent-control/base";
import type { Presence, TaskListed, TaskSeen } from "./guest.ts";
import { type RunPorts, runInGuest } from "./guest-run.ts";
import type { TimeLimit } from "./guest-within.ts";
import { lookScript } from "./look-script.ts";
import { requireTaskId } from "./task-id.ts";
import { type GuestLook, parseLook, unknownTask } from "./task-look.ts";

/** States of tasks in one exec; those that could not be looked at in time are unknown. */
export async function probeTasks(
  ports: RunPorts,
  instance: string,
  { ids, ...limit }: TimeLimit & { readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, TaskSeen>> {
  if (ids.length === 0) return new Map();
  ids.forEach(requireTaskId);
  const look = await lookInside(ports, instance, { args: ["-", ...ids], ...limit });
  return new Map(ids.map((id) => [id, look?.tasks.get(id)?.seen ?? unknownTask]));
}

/** Every task with a record, at most 1000. */
export async function listTasks(
  ports: RunPorts,
  instance: string,
  limit: TimeLimit,
): Promise<readonly TaskListed[]> {
  const look = await lookInside(ports, instance, { args: ["-", "all"], ...limit });
  if (look) return [...look.tasks.values()];
  throw new Failure("unavailable", {
    code: "tasks-unreadable",
    message: `The tasks in ${instance} could not be listed`,
    next: "Try again in a moment",
  });
}

/** Who is in there and what works; undefined when there was no answer in time. */
export async function lookForPresence(
  ports: RunPorts,
  instance: string,
  limit: TimeLimit,
): Promise<Presence | undefined> {
  const look = await lookInside(ports, instance, { args: ["processes", "all"], ...limit });
  if (!look) return undefined;
  const agents = [...look.tasks.values()].filter(({ kind }) => kind === "agent");
  const activity = agents.flatMap(({ seen }) => seen.lastActivityAt ?? []);
  return {
    attended: look.attended,
    workingAgents: agents.filter(({ seen }) => isWorking(seen)).map(({ id }) => id),
    lastAgentActivityAt: activity.length === 0 ? undefined : Math.max(...activity),
    now: look.now,
  };
}

async function lookInside(
  ports: RunPorts,
  instance: string,
  { args, ...limit }: TimeLimit & { readonly args: readonly string[] },
): Promise<GuestLook | undefined> {
  const ended = await runInGuest(ports, instance, { script: lookScript, args, outputLimit, ...limit });
  return ended?.exitCode === 0 ? parseLook(ended.stdout) : undefined;
}

// A thousand tasks with four lines each.
const outputLimit = 1024 * 1024;

function isWorking({ state }: TaskSeen): boolean {
  return state === "running" || state === "unknown";
}
