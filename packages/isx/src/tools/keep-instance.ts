import * as z from "zod";
import { noteSubjects } from "../gates.ts";
import { type IsxTool, settles } from "../isx-tool.ts";
import { instanceArgument } from "../schemas.ts";

const input = z.strictObject({ instance: instanceArgument });
const output = z.strictObject({ instance: z.string() });

export const keepInstance: IsxTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "keep_instance",
  title: "Keep an instance",
  description:
    "Use this when the person wants to keep one of your instances: it becomes theirs for good, is never destroyed as an orphan and no longer counts. You can use it until your session ends.",
  annotations: settles,
  input,
  output,
  action: "keep_instance",
  acting: true,
  waits: false,
  gates: [noteSubjects],
  async run({ instances }, { instance }, { signal }) {
    await instances.holdings.keep(instance, signal);
    return { instance };
  },
};
