import type { TaskSeen, Tasks } from "@agent-control/instances";
import * as z from "zod";
import { noteSubjects } from "../gates.ts";
import { type IsxTool, reads } from "../isx-tool.ts";
import { taskKind, taskState } from "../schemas.ts";
import { isOver, unseen } from "../task-view.ts";

const input = z.strictObject({
  task_ids: z
    .array(z.string().max(40))
    .max(100)
    .optional()
    .describe("Tasks to wait for, at most 100. Default: all of yours that run."),
  timeout_seconds: z.int().min(0).max(290).default(45).describe("Seconds, 0 to 290. Default 45."),
});

const output = z.strictObject({
  tasks: z.array(
    z.strictObject({
      task_id: z.string(),
      instance: z.string(),
      kind: taskKind,
      state: taskState,
      exit_code: z.int().optional(),
    }),
  ),
  finished: z.array(z.string()).describe("Ids of those that are over; empty: the time was up first."),
});

export const waitAny: IsxTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "wait_any",
  title: "Wait for a task",
  description:
    "Use this after starting tasks, to wait until the first of them is over; do not poll task_status. When the time is up finished is empty: call again. Then read each with task_result.",
  annotations: reads,
  input,
  output,
  action: "wait_any",
  acting: false,
  waits: true,
  gates: [noteSubjects],
  async run({ instances: { tasks } }, { task_ids = [], timeout_seconds }, { signal, progress, note }) {
    const ids = task_ids.length > 0 ? [...new Set(task_ids)] : tasks.running();
    for (const id of ids) tasks.require(id);
    note({ tasks: ids.length });
    if (ids.length === 0) return { tasks: [], finished: [] };
    const seen = await tasks.waitAny(ids, {
      timeoutMs: timeout_seconds * 1000,
      signal,
      onPoll: (running) => progress(`${running} running`),
    });
    const shown = ids.map((id) => entry(tasks, id, seen.get(id) ?? unseen));
    return { tasks: shown, finished: ids.filter((id) => isOver(seen.get(id) ?? unseen)) };
  },
};

function entry(tasks: Tasks, id: string, { state, exitCode }: TaskSeen) {
  const { instance, kind } = tasks.require(id);
  return { task_id: id, instance, kind, state, exit_code: exitCode };
}
