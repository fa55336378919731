import { Failure } from "@agent-control/base";
import type { Call } from "@agent-control/mcp";
import * as z from "zod";
import { delegatesOf, limitsOf } from "../approval.ts";
import { noteSubjects, usableSettings } from "../gates.ts";
import { type IsxContext, type IsxTool, makes } from "../isx-tool.ts";
import { makingArguments } from "../schemas.ts";

const input = z.strictObject({
  template: z.string().max(63).optional().describe("An approved template, from list_templates."),
  from_instance: z
    .string()
    .max(63)
    .optional()
    .describe("Instead of template: one of your stopped instances, to fork it."),
  ...makingArguments,
});

const output = z.strictObject({
  instance: z.string(),
  template: z.string(),
  purpose: z.string().optional(),
  forked_from: z.string().optional(),
  ip: z.string().optional(),
  workdir: z.string(),
  tools: z.array(z.string()),
  agents: z.array(z.string()),
});

export const createInstance: IsxTool<z.infer<typeof input>, z.infer<typeof output>> = {
  name: "create_instance",
  title: "Create an instance",
  description:
    "Use this when you need a fresh Linux system: it copies an approved template, or with from_instance forks one of your stopped instances, and returns when the copy is usable. Give exactly one of the two. Then use exec; destroy_instance when you are done. Network, accounts and resources are the template's.",
  annotations: makes,
  input,
  output,
  action: "create_instance",
  acting: true,
  waits: false,
  gates: [noteSubjects, usableSettings],
  async run(context, given, call) {
    // Read first: what could fail must not fail once the instance is there.
    const { templates } = await context.instances.templates.trusted();
    const created = await make(context, given, call);
    call.note({ instance: created.name, template: created.template });
    const template = templates.get(created.template);
    return {
      instance: created.name,
      template: created.template,
      purpose: given.purpose,
      forked_from: created.forkedFrom,
      ip: created.address,
      workdir: created.workdir,
      tools: [...(template?.merged.tools ?? [])],
      agents: template === undefined ? [] : delegatesOf(template),
    };
  },
};

function make({ instances, settings }: IsxContext, given: z.infer<typeof input>, call: Call) {
  const template = given.template?.trim() ?? "";
  const source = given.from_instance?.trim() ?? "";
  if ((template === "") === (source === "")) throw oneOf(template !== "");
  const request = {
    hint: given.name_hint,
    purpose: given.purpose,
    client: call.client,
    limits: limitsOf(settings()),
    onStep: call.progress,
    signal: call.signal,
  };
  return template === ""
    ? instances.holdings.fork({ ...request, source })
    : instances.holdings.create({ ...request, template });
}

function oneOf(both: boolean): Failure {
  return new Failure("usage", {
    code: "bad-argument",
    message: `create_instance needs exactly one of template and from_instance, not ${both ? "both" : "none"}`,
    next: "Name an approved template, or one of your stopped instances to fork it",
  });
}
