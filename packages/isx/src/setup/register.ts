import { Failure } from "@agent-control/base";
import { harnesses } from "@agent-control/harness";
import {
  applyEdits,
  claudeServer,
  findProgram,
  readAgentFile,
  registerWithClaude,
  replaceAgentFile,
  type ServerEntry,
  serverFile,
} from "@agent-control/harness/setup";
import type { CommandPorts } from "../command-ports.ts";

/** The agents on this host that isx registers its server with. */
export const registrable = ["claude", "codex", "opencode"] as const;

export type Registrable = (typeof registrable)[number];

export type RegisterPorts = Pick<CommandPorts, "machine" | "facts">;

export interface Registration {
  /** The file that holds the entry. */
  readonly path: string;
  /** False when the entry was there just so. */
  readonly changed: boolean;
}

/**
 * Registers the server for all projects of one agent; an entry of the same name is replaced, nothing else changes.
 * Claude Code does it itself and then connects once.
 */
export async function register(
  ports: RegisterPorts,
  agent: Registrable,
  { server, signal }: { readonly server: ServerEntry; readonly signal: AbortSignal },
): Promise<Registration> {
  if (agent !== "claude") return writeEntry(ports, agent, server);
  const claude = claudePath(ports);
  if (claude === undefined) throw notInstalled();
  const own = claudeServer(ports.facts, server);
  const changes = await registerWithClaude({ ...ports.machine, claude, dryRun: false, signal }, own);
  return { path: own.path, changed: changes.length > 0 };
}

/** Where Claude Code is; undefined when it is not on PATH. */
export function claudePath({ machine, facts }: RegisterPorts): string | undefined {
  return findProgram(machine.files, harnesses.claude.programs, facts.env["PATH"]);
}

/** The text of a file of an agent; undefined when nothing is there. */
export function textReader({ machine }: RegisterPorts): (path: string) => string | undefined {
  return (path) => {
    const { exists, text } = readAgentFile(machine.files, path);
    return exists ? text : undefined;
  };
}

function writeEntry(ports: RegisterPorts, agent: "codex" | "opencode", server: ServerEntry): Registration {
  const { machine, facts } = ports;
  const place = { home: facts.home, env: facts.env, read: textReader(ports) };
  const file = serverFile(agent, place, { server, approve: false });
  const seen = readAgentFile(machine.files, file.path);
  const edits = file.add(seen.text);
  if (edits.length > 0) {
    replaceAgentFile({ ...machine, uid: facts.uid }, seen, applyEdits(seen.text, edits).text);
  }
  return { path: seen.path, changed: edits.length > 0 };
}

function notInstalled(): Failure {
  return new Failure("error", {
    code: "agent-missing",
    message: "Claude Code is not on PATH, and only it can register a server for all projects",
    next: "Install Claude Code, or add the entry that isx mcp config prints to your agent's settings",
  });
}
