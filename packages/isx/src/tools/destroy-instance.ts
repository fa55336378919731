import * as z from "zod";
import { noteSubjects } from "../gates.ts";
import { destroys, type IsxTool } from "../isx-tool.ts";
import { instanceArgument } from "../schemas.ts";

const input = z.strictObject({ instance: instanceArgument });
const output = z.strictObject({ instance: z.string(), already: z.boolean() });

export const destroyInstance: IsxTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "destroy_instance",
  title: "Destroy an instance",
  description:
    "Use this when you are done with one of your instances: it is deleted with everything in it, what still runs included. already: it was gone.",
  annotations: destroys,
  input,
  output,
  action: "destroy_instance",
  acting: true,
  stops: true,
  waits: false,
  gates: [noteSubjects],
  async run({ instances }, { instance }, { signal }) {
    const { already } = await instances.holdings.destroy(instance, signal);
    return { instance, already };
  },
};
