import { type Listing, runProgram } from "@agent-control/cli";
import { createMachine } from "@agent-control/system";
import { type CommandPorts, commandPorts } from "./command-ports.ts";
import type { ProcessFacts } from "./main.ts";
import { version } from "./version.ts";

/** Every verb. */
export const commands: readonly Listing<CommandPorts>[] = [
  {
    name: "init",
    summary: "Prepare Incus for isx",
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    name: "templates list",
    summary: "List the templates and their builds",
    load: async () => (await import("./commands/templates-list.ts")).templatesList,
  },
  {
    name: "templates show",
    summary: "Show a template with all that its parents add",
    load: async () => (await import("./commands/templates-show.ts")).templatesShow,
  },
  {
    name: "templates new",
    summary: "Write a template of your own",
    load: async () => (await import("./commands/templates-new.ts")).templatesNew,
  },
  {
    name: "templates edit",
    summary: "Change a template in your editor",
    load: async () => (await import("./commands/templates-edit.ts")).templatesEdit,
  },
  {
    name: "templates validate",
    summary: "Check every definition file",
    load: async () => (await import("./commands/templates-validate.ts")).templatesValidate,
  },
  {
    name: "build",
    summary: "Build templates",
    load: async () => (await import("./commands/build.ts")).build,
  },
  {
    name: "branch",
    summary: "Make an instance from a template or a stopped instance",
    load: async () => (await import("./commands/branch.ts")).branch,
  },
  {
    name: "list",
    summary: "List your instances",
    load: async () => (await import("./commands/list.ts")).list,
  },
  {
    name: "start",
    summary: "Start an instance",
    load: async () => (await import("./commands/start.ts")).start,
  },
  {
    name: "stop",
    summary: "Stop an instance",
    load: async () => (await import("./commands/stop.ts")).stop,
  },
  {
    name: "shell",
    summary: "Open a shell in an instance",
    load: async () => (await import("./commands/shell.ts")).shell,
  },
  {
    name: "run",
    summary: "Run a command in an instance",
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "destroy",
    summary: "Delete instances with everything in them",
    load: async () => (await import("./commands/destroy.ts")).destroy,
  },
  {
    name: "mcp",
    summary: "Serve the MCP tools on stdio",
    load: async () => (await import("./commands/mcp-help.ts")).mcpHelp,
  },
  {
    name: "mcp setup",
    summary: "Choose the templates that agents may use",
    load: async () => (await import("./commands/mcp-setup.ts")).mcpSetup,
  },
  {
    name: "mcp config",
    summary: "Print the MCP server's entry for an agent's settings",
    load: async () => (await import("./commands/mcp-config.ts")).mcpConfig,
  },
  {
    name: "mcp register",
    summary: "Register the MCP server with an agent",
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
];

/** Runs the words of the command line; resolves to the exit code. */
export function runIsx(facts: Omit<ProcessFacts, "diagnose">): Promise<number> {
  const program = {
    name: "isx",
    version,
    summary: "Throw-away Linux systems on Incus, for people and for their agents",
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
