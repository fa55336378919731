import { Failure, type Files, type Finished, type Processes, plainText } from "@agent-control/base";
import { readAgentFile } from "./agent-file.ts";
import type { ClaudeServer } from "./claude-server.ts";
import { commandLine } from "./command-line.ts";
import { foreignServer } from "./own-server.ts";

export interface ClaudePorts {
  readonly files: Files;
  readonly processes: Processes;
  /** Path of Claude Code. */
  readonly claude: string;
  /** Nothing is run that changes anything. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** The arguments of Claude Code's command lines that change something, or would; none when all is as it should be. */
export type ClaudeChanges = readonly (readonly string[])[];

/** Registers the MCP server at user scope by Claude Code itself, and has it connect once to see that it works. */
export async function registerWithClaude(ports: ClaudePorts, server: ClaudeServer): Promise<ClaudeChanges> {
  const { text } = readAgentFile(ports.files, server.path);
  const there = server.registered(text);
  if (there && !there.own) throw foreignServer(server.path, server.entry);
  const changes = there?.isCurrent ? [] : there ? [server.remove, server.add] : [server.add];
  if (ports.dryRun) return changes;
  for (const args of changes) await runClaude(ports, args);
  await requireConnected(ports, server);
  return changes;
}

/** Takes our registration back by Claude Code itself. */
export async function unregisterFromClaude(ports: ClaudePorts, server: ClaudeServer): Promise<ClaudeChanges> {
  const there = server.registered(readAgentFile(ports.files, server.path).text);
  if (!there?.own) return [];
  if (!ports.dryRun) await runClaude(ports, server.remove);
  return [server.remove];
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
