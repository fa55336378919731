import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";

export const templatesShow = defineCommand({
  description: "Shows a template as its whole chain of parents makes it.",
  arguments: [{ name: "name", summary: "The template" }],
  flags: [],
  example: "isx templates show tpl-dev",
  run: async ({ arguments: { name } }, ports: CommandPorts) => {
    const { templates } = await ports.instances();
    const { chain, merged, agents } = (await templates.all()).require(name);
    const sources = chain.map(({ definition, source, layer }) => ({ name: definition.name, source, layer }));
    return {
      json: { name, chain: sources, merged, agents },
      human: [
        ...sources.map((one) => `# ${one.name}: ${one.source}`),
        ...JSON.stringify(merged, null, 2).split("\n"),
      ].join("\n"),
    };
  },
});
