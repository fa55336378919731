import { dirname } from "node:path";
import { Failure } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";

export const configInit = defineCommand({
  description:
    "Writes a config.toml with a lead and a worker profile, every switch that gives agents control still off. Refuses when there is one.",
  arguments: [],
  flags: [],
  example: "tongs-agents config init",
  run: async (_invocation, ports: CommandPorts) => {
    const { files } = ports.machine;
    const path = ports.places.configFile;
    if (files.look(path)) throw alreadyThere(path);
    files.makeDirectory(dirname(path));
    files.write(path, template);
    return {
      json: { ok: true, file: path },
      human: [
        `${path} is written`,
        "Switch mcp_enabled and a profile's mcp_control on to let agents control agents",
      ],
    };
  },
});

function alreadyThere(path: string): Failure {
  return new Failure("error", {
    code: "config-exists",
    message: `${path} is there already`,
    next: "Edit it, and see tongs-agents config check",
    details: { path },
  });
}

const template = `# What tongs-agents may do. Read again at every call; \`tongs-agents config check\` says what is wrong with it.

[control]
# Lets agents use the agents_* tools. A running agent sees them after it is started again.
mcp_enabled = false
# Sends, and apart from them spawns, that one agent may make in a minute: 1..60.
mcp_rate_per_minute = 6

[workspace]
session = "agents"
panes = ["lead"]

# A profile is a program that can be started in a pane. mcp_control = true lets an agent that runs as this profile use
# the tools, and lets other agents start it and type into it as if they were you, shell commands included.

[profiles.lead]
command = ["claude"]
mcp_control = false

[profiles.worker]
command = ["claude", "--permission-mode", "acceptEdits"]
mcp_control = false
`;
