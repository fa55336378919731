import { Failure, shownText } from "@agent-control/base";
import type { HoldingPorts } from "./holding-ports.ts";
import type { HoldingLimits } from "./holdings.ts";
import type { Template } from "./templates.ts";

/** The template as the trusted definitions make it, if the person approves it now; else a refusal (`template-not-approved`, `template-unknown`). */
export async function approvedTemplate(
  ports: Pick<HoldingPorts, "templates">,
  name: string,
  limits: HoldingLimits,
): Promise<Template> {
  requireApproved(name, limits);
  return (await ports.templates.trusted()).require(name);
}

/** Refuses what mcp.yaml does not name. */
export function requireApproved(name: string, { isApproved }: HoldingLimits): void {
  if (isApproved(name)) return;
  throw refused("template-not-approved", {
    message: `Template ${shownText(name)} is not approved for agents`,
    next: "Choose one of list_templates, or ask the person to approve it with `isx mcp setup`",
  });
}

/** Refuses a template without a build, and a build that a repository's own definitions had a part in. */
export async function requireBuilt(
  ports: Pick<HoldingPorts, "branching">,
  { name }: Template,
  signal?: AbortSignal,
): Promise<void> {
  const built = (await ports.branching.built(signal)).get(name);
  if (built === undefined) {
    throw refused("template-not-built", {
      message: `Template ${name} is approved but not built`,
      next: `Ask the person to run \`isx build ${name}\``,
    });
  }
  if (!built.projectLocal) return;
  throw refused("template-project-local", {
    message: `Template ${name} was built from a project's own definitions, which agents may not use`,
    next: `Ask the person to run \`isx build ${name}\` outside that project`,
  });
}

function refused(code: string, text: { readonly message: string; readonly next: string }): Failure {
  return new Failure("refused", { code, ...text });
}
