import * as z from "zod";
import { delegatesOf, limitsOf } from "../approval.ts";
import { noteSubjects, usableSettings } from "../gates.ts";
import { type IsxTool, settles } from "../isx-tool.ts";

const input = z.strictObject({
  instance: z.string().min(1).max(63).describe("An orphaned instance, from list_instances."),
  force: z
    .boolean()
    .default(false)
    .describe("Take it from a session that still runs: only when the person asked for it. Default false."),
});

const output = z.strictObject({
  instance: z.string(),
  template: z.string(),
  purpose: z.string().optional(),
  agents: z.array(z.string()),
  tasks: z.array(z.string()).describe("Ids of its tasks, which are yours now."),
  warning: z.string().optional(),
});

export const adoptInstance: IsxTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "adopt_instance",
  title: "Adopt an instance",
  description:
    "Use this when an earlier session left an instance behind that you want to go on with: it and its tasks become yours, and a stopped one is started.",
  annotations: settles,
  input,
  output,
  action: "adopt_instance",
  acting: true,
  waits: false,
  gates: [noteSubjects, usableSettings],
  async run({ instances, settings }, { instance, force }, { client, signal, note }) {
    note({ forced: force });
    const limits = limitsOf(settings());
    const { templates } = await instances.templates.trusted();
    const adopted = await instances.holdings.adopt(instance, { force, client, limits, signal });
    const template = templates.get(adopted.template);
    return {
      instance: adopted.name,
      template: adopted.template,
      purpose: adopted.purpose,
      agents: template === undefined ? [] : delegatesOf(template),
      tasks: [...adopted.tasks],
      warning: adopted.warning,
    };
  },
};
