import * as z from "zod";
import { noteSubjects, usableSettings } from "../gates.ts";
import { type IsxTool, settles } from "../isx-tool.ts";
import { instanceArgument } from "../schemas.ts";

const input = z.strictObject({ instance: instanceArgument });

const output = z.strictObject({
  instance: z.string(),
  already: z.boolean(),
  tasks: z
    .array(z.string())
    .describe("Ids of the tasks that it holds; those that ran when it stopped are lost."),
  warning: z.string().optional(),
});

export const startInstance: IsxTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "start_instance",
  title: "Start an instance",
  description:
    "Use this when one of your instances is stopped and you want to work in it again. Returns when commands can run in it.",
  annotations: settles,
  input,
  output,
  action: "start_instance",
  acting: true,
  waits: false,
  gates: [noteSubjects, usableSettings],
  async run({ instances }, { instance }, { signal }) {
    const { already, tasks, warning } = await instances.holdings.start(instance, signal);
    return { instance, already, tasks: [...tasks], warning };
  },
};
