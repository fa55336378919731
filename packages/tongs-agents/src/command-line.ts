import { type Listing, runProgram } from "@agent-control/cli";
import { createMachine } from "@agent-control/system";
import { type CommandPorts, commandPorts } from "./command-ports.ts";
import type { ProcessFacts } from "./main.ts";
import { version } from "./version.ts";

/** Every verb but the internal ones, `hook` and `pane`. */
export const commands: readonly Listing<CommandPorts>[] = [
  {
    name: "workspace",
    summary: "Start the workspace and show it on this terminal",
    load: async () => (await import("./commands/workspace.ts")).workspace,
  },
  {
    name: "launch",
    summary: "Start a profile in a pane",
    load: async () => (await import("./commands/launch.ts")).launch,
  },
  {
    name: "list",
    summary: "List the agents that were launched",
    load: async () => (await import("./commands/list.ts")).list,
  },
  {
    name: "send",
    summary: "Type a prompt into an agent's pane and press Enter",
    load: async () => (await import("./commands/send.ts")).send,
  },
  {
    name: "agent-status",
    summary: "Show what an agent does now",
    load: async () => (await import("./commands/agent-status.ts")).agentStatus,
  },
  {
    name: "wait",
    summary: "Wait until an agent is in a state",
    load: async () => (await import("./commands/wait.ts")).wait,
  },
  {
    name: "focus",
    summary: "Bring an agent's pane to the front",
    load: async () => (await import("./commands/focus.ts")).focus,
  },
  {
    name: "monitor",
    summary: "Show what every agent does, and follow it",
    load: async () => (await import("./commands/monitor.ts")).monitor,
  },
  {
    name: "install",
    summary: "Register the MCP server and the status hooks with agent CLIs",
    load: async () => (await import("./commands/install.ts")).install,
  },
  {
    name: "uninstall",
    summary: "Take away what install wrote",
    load: async () => (await import("./commands/uninstall.ts")).uninstall,
  },
  {
    name: "mcp",
    summary: "Serve the MCP tools on stdio",
    load: async () => (await import("./commands/mcp-help.ts")).mcpHelp,
  },
  {
    name: "mcp config",
    summary: "Print the MCP server's entry for a client's configuration",
    load: async () => (await import("./commands/mcp-config.ts")).mcpConfig,
  },
  {
    name: "mcp register",
    summary: "Register the MCP server with agent CLIs",
    load: async () => (await import("./commands/mcp-register.ts")).mcpRegister,
  },
  {
    name: "doctor",
    summary: "Check that everything is in place",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "audit show",
    summary: "Print the newest lines of the audit log",
    load: async () => (await import("./commands/audit-show.ts")).auditShow,
  },
  {
    name: "audit verify",
    summary: "Check that no line of the audit log was changed",
    load: async () => (await import("./commands/audit-verify.ts")).auditVerify,
  },
  {
    name: "audit head",
    summary: "Print the audit log's head, to be kept elsewhere",
    load: async () => (await import("./commands/audit-head.ts")).auditHead,
  },
  {
    name: "config check",
    summary: "Check config.toml",
    load: async () => (await import("./commands/config-check.ts")).configCheck,
  },
  {
    name: "config init",
    summary: "Write a first config.toml",
    load: async () => (await import("./commands/config-init.ts")).configInit,
  },
];

/** Runs the words of the command line; resolves to the exit code. */
export function runTongsAgents(facts: Omit<ProcessFacts, "diagnose">): Promise<number> {
  const program = {
    name: "tongs-agents",
    version,
    summary: "Agents in panes start, prompt, watch and wait for other agents: verified, limited, audited",
    commands,
    ports: () => commandPorts({ ...facts, diagnose: (line) => void process.stderr.write(`${line}\n`) }),
  };
  return runProgram(program, {
    argv: process.argv.slice(2),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: process,
    clock: createMachine({ onError: () => {} }).clock,
  });
}
