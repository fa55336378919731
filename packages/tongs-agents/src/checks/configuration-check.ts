import { isAbsolute } from "node:path";
import type { Finding } from "@agent-control/cli";
import { allowsCodexDaemon, harnessOf } from "@agent-control/harness";
import { findProgram, isExecutable, lookThrough } from "@agent-control/harness/setup";
import type { Profile, TongsConfig } from "@agent-control/policy";
import type { CommandPorts } from "../command-ports.ts";
import type { Check } from "./check.ts";

const check = "configuration";

/** config.toml: valid, ours alone, what it allows, and whether the profiles' programs are there. */
export const configurationCheck: Check = {
  name: check,
  look: async (ports) => {
    const config = await ports.config();
    return [
      fileRow(ports),
      controlRow(config),
      ...Object.values(config.profiles).flatMap((each) => [...missing(ports, each), ...sharing(each)]),
    ];
  },
};

function fileRow({ machine, places: { configFile } }: CommandPorts): Finding {
  const seen = lookThrough(machine.files, configFile);
  if (!seen) {
    const message = `${configFile} does not exist, so every default holds`;
    return { check, level: "note", message, next: "Run tongs-agents config init for a first one" };
  }
  if ((seen.mode & 0o022) !== 0) {
    const message = `Other users may write ${configFile}`;
    return { check, level: "warn", message, next: `Run chmod go-w ${configFile}` };
  }
  return { check, level: "ok", message: `${configFile} is valid` };
}

function controlRow({ control, profiles }: TongsConfig): Finding {
  if (!control.mcpEnabled) {
    const message = "Control of agents is off: the agents_* tools are not listed";
    return { check, level: "note", message, next: "Set mcp_enabled = true under [control] if you want it" };
  }
  const names = Object.values(profiles).flatMap(({ name, mcpControl }) => (mcpControl ? [name] : []));
  if (names.length === 0) {
    const message = "Control of agents is on, but no profile is opted in";
    return {
      check,
      level: "warn",
      message,
      next: "Set mcp_control = true in the profiles that agents may use",
    };
  }
  return { check, level: "ok", message: `Control of agents is on for ${names.join(", ")}` };
}

function missing({ machine: { files }, facts }: CommandPorts, { name, command, env }: Profile): Finding[] {
  const [program = ""] = command;
  const found = isAbsolute(program)
    ? isExecutable(files, program)
    : program.includes("/") || findProgram(files, [program], env["PATH"] ?? facts.env["PATH"]) !== undefined;
  if (found) return [];
  const message = `The program ${program} of profile ${name} was not found`;
  return [{ check, level: "warn", message, next: "Install it, or write its absolute path in the profile" }];
}

function sharing({ name, command, harness, mcpControl }: Profile): Finding[] {
  if (!mcpControl || harnessOf(harness, command).id !== "codex" || !allowsCodexDaemon(command)) return [];
  const message = `Codex of profile ${name} leaves its work to a daemon, so that what it asks for is refused`;
  return [{ check, level: "warn", message, next: "Add --no-daemon to the profile's command" }];
}
