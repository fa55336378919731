import { asFailure } from "@agent-control/base";
import type { TaskKnown } from "@agent-control/instances";
import type { InstancePorts } from "./isx-tool.ts";

/**
 * The task, if it is this session's and this session still holds its instance: another one may have adopted it, tasks
 * included. An instance that is gone is no obstacle: its tasks are lost, which is worth saying.
 */
export async function requireOwnTask(
  { tasks, holdings }: Pick<InstancePorts, "tasks" | "holdings">,
  id: string,
  signal: AbortSignal,
): Promise<TaskKnown> {
  const task = tasks.require(id);
  try {
    await holdings.require(task.instance, signal);
  } catch (error) {
    if (asFailure(error)?.code !== "instance-unknown") throw error;
  }
  return task;
}
