import { defineCommand } from "@agent-control/cli";
import type { BuiltTemplate, Template } from "@agent-control/instances";
import type { CommandPorts } from "../command-ports.ts";
import { formatFlag, listingAnswer } from "../listing.ts";

export const templatesList = defineCommand({
  description: "Lists every template with its source and whether its build is there and up to date.",
  arguments: [],
  flags: [formatFlag],
  example: "isx templates list",
  run: async ({ flags: { format }, signal, warn }, ports: CommandPorts) => {
    const { templates, branching } = await ports.instances();
    const set = await templates.all();
    for (const problem of set.problems) await warn(problem);
    const built = await branching.built(signal);
    const shown = [...set.templates.values()].map((template) => view(template, built.get(template.name)));
    return listingAnswer(format, {
      json: { templates: shown },
      table: {
        columns: ["NAME", "PARENT", "BUILD", "AGENTS", "SOURCE", "DESCRIPTION"].map((heading) => ({
          heading,
          keep: heading === "NAME",
        })),
        rows: shown.map((one) => [
          one.name,
          one.parent ?? "",
          !one.built ? "missing" : one.stale ? "stale" : "ok",
          one.agents.join(","),
          one.source,
          one.description,
        ]),
        whenEmpty: "There is no template",
      },
    });
  },
});

function view({ name, chain, merged, agents, projectLocal }: Template, built: BuiltTemplate | undefined) {
  return {
    name,
    parent: merged.parent ?? null,
    description: merged.description ?? "",
    source: chain.at(-1)?.source ?? "",
    project_local: projectLocal,
    agents: agents.map((agent) => agent.name),
    built: built !== undefined,
    built_at: built?.builtAt ?? null,
    stale: built?.stale ?? false,
  };
}
