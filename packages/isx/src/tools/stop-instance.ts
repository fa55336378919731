import * as z from "zod";
import { noteSubjects } from "../gates.ts";
import { type IsxTool, settles } from "../isx-tool.ts";
import { instanceArgument } from "../schemas.ts";

const input = z.strictObject({
  instance: instanceArgument,
  force: z.boolean().default(false).describe("Also cancel what runs in it. Default false."),
});

const output = z.strictObject({
  instance: z.string(),
  already: z.boolean(),
  forced: z.boolean().describe("It did not shut down within 10 seconds and was switched off."),
  cancelled_tasks: z.array(z.string()),
});

export const stopInstance: IsxTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "stop_instance",
  title: "Stop an instance",
  description:
    "Use this before forking an instance, or to let it rest; its files stay. Refused while a command or task runs in it, unless force cancels them. It gets 10 seconds to shut down.",
  annotations: settles,
  input,
  output,
  action: "stop_instance",
  acting: true,
  stops: true,
  waits: false,
  gates: [noteSubjects],
  async run({ instances }, { instance, force }, { signal, note }) {
    const { already, forced, cancelledTasks } = await instances.holdings.stop(instance, { force, signal });
    note({ forced, cancelled_tasks: cancelledTasks.length });
    return { instance, already, forced, cancelled_tasks: [...cancelledTasks] };
  },
};
