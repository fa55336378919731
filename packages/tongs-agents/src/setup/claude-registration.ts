import { Failure, type Finished, type Processes, plainText } from "@agent-control/base";
import { type ClaudeServer, foreignServer } from "@agent-control/harness/setup";
import { readAgentFile } from "./agent-file.ts";
import type { ChangePorts, Step } from "./change-file.ts";
import { commandLine } from "./command-line.ts";

export interface ClaudePorts extends ChangePorts {
  readonly processes: Processes;
  /** Path of Claude Code. */
  readonly claude: string;
  readonly signal: AbortSignal;
}

/** Registers the MCP server at user scope by Claude Code itself, and has it connect once to see that it works. */
export async function registerWithClaude(ports: ClaudePorts, server: ClaudeServer): Promise<Step> {
  const { text } = readAgentFile(ports.files, server.path);
  const there = server.registered(text);
  if (there && !there.own) throw foreignServer(server.path);
  const isCurrent = there !== undefined && JSON.stringify(there.argv) === JSON.stringify(server.argv);
  const commands = isCurrent ? [] : there ? [server.remove, server.add] : [server.add];
  if (ports.dryRun && !isCurrent) return step(server, "would-write", commands);
  for (const args of commands) await runClaude(ports, args);
  if (!ports.dryRun) await requireConnected(ports, server);
  return step(server, isCurrent ? "unchanged" : "written", commands);
}

/** Takes our registration back by Claude Code itself. */
export async function unregisterFromClaude(ports: ClaudePorts, server: ClaudeServer): Promise<Step> {
  const there = server.registered(readAgentFile(ports.files, server.path).text);
  if (!there?.own) return step(server, "unchanged", []);
  if (ports.dryRun) return step(server, "would-remove", [server.remove]);
  await runClaude(ports, server.remove);
  return step(server, "removed", [server.remove]);
}

async function requireConnected(ports: ClaudePorts, server: ClaudeServer): Promise<void> {
  const { stdout } = await runClaude(ports, server.get);
  if (/^\s*Status: .*\bConnected\b/m.test(stdout)) return;
  const status = /^\s*Status:.*$/m.exec(stdout)?.[0].trim() ?? "it did not say whether it connected";
  throw claudeFailed(`is registered, but Claude Code cannot use it: ${plainText(status)}`, server.get);
}

async function runClaude(ports: ClaudePorts, args: readonly string[]): Promise<Finished> {
  const ran = await ports.processes.run({
    file: ports.claude,
    args,
    timeoutMs: 60_000,
    maxOutputBytes: 64 * 1024,
    signal: ports.signal,
  });
  if (ran.exitCode === 0) return ran;
  const said = plainText(ran.stderr.trim() || ran.stdout.trim()).split("\n")[0] ?? "";
  const why = ran.timedOut ? "took longer than a minute" : `said: ${said.slice(0, 300)}`;
  throw claudeFailed(`could not be changed: Claude Code ${why}`, args);
}

function claudeFailed(what: string, args: readonly string[]): Failure {
  return new Failure("error", {
    code: "claude-registration-failed",
    message: `The MCP server ${what}`,
    next: `Run ${commandLine(["claude", ...args])} yourself to see more`,
  });
}

function step(server: ClaudeServer, state: Step["state"], commands: readonly (readonly string[])[]): Step {
  return {
    what: "MCP server",
    state,
    path: server.path,
    change: commands.map((args) => commandLine(["claude", ...args])).join("\n"),
  };
}
