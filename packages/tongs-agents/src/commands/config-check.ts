import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";

export const configCheck = defineCommand({
  description: "Reads config.toml as every call does and says what is wrong with it, with line and column.",
  arguments: [],
  flags: [],
  example: "tongs-agents config check",
  run: async (_invocation, ports: CommandPorts) => {
    const { configFile } = ports.places;
    const config = await ports.config();
    const profiles = Object.values(config.profiles);
    const controlled = profiles.filter((profile) => profile.mcpControl).map((profile) => profile.name);
    return {
      json: {
        ok: true,
        file: configFile,
        exists: ports.machine.files.look(configFile) !== undefined,
        mcp_enabled: config.control.mcpEnabled,
        profiles: profiles.map((profile) => profile.name),
        mcp_control: controlled,
      },
      human: [
        `${configFile} is valid${ports.machine.files.look(configFile) ? "" : " (there is none: every default holds)"}`,
        `control of agents is ${config.control.mcpEnabled ? "on" : "off"}; profiles that agents may use: ${controlled.join(", ") || "none"}`,
      ],
    };
  },
});
