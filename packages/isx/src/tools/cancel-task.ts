import * as z from "zod";
import { noteSubjects } from "../gates.ts";
import { destroys, type IsxTool } from "../isx-tool.ts";
import { requireOwnTask } from "../own-task.ts";
import { taskArgument, taskKind } from "../schemas.ts";

const input = z.strictObject({ task_id: taskArgument });
const output = z.strictObject({ task_id: z.string(), instance: z.string(), kind: taskKind });

export const cancelTask: IsxTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "cancel_task",
  title: "Cancel a task",
  description:
    "Use this when a task should not go on: every process of it is ended and its exit code is 143. Harmless for a task that is over.",
  annotations: destroys,
  input,
  output,
  action: "cancel_task",
  acting: true,
  stops: true,
  waits: false,
  gates: [noteSubjects],
  async run({ instances }, { task_id }, { signal, note }) {
    const { instance, kind } = await requireOwnTask(instances, task_id, signal);
    note({ instance });
    await instances.tasks.cancel([task_id], signal);
    return { task_id, instance, kind };
  },
};
