import { basename } from "node:path";
import { Failure, shownText } from "@agent-control/base";
import { shellQuote } from "@agent-control/harness";
import { findProgram, isExecutable, type ServerEntry, stableProgram } from "@agent-control/harness/setup";
import type { Machine } from "@agent-control/system";
import type { ProcessFacts } from "../main.ts";

export interface OwnServerPorts {
  readonly machine: Pick<Machine, "files" | "processes">;
  readonly facts: Pick<ProcessFacts, "env" | "uid" | "program">;
}

/**
 * `isx mcp` as agents' configurations name it: by absolute path, with the variables that say where this isx keeps its
 * files and which Incus it uses, and through `sg` where that lets an agent in that was started before the person
 * joined Incus' group. Throws `refused`, code `program-temporary`, for a copy that npx made.
 */
export async function ownServer(
  { machine, facts }: OwnServerPorts,
  signal: AbortSignal,
): Promise<ServerEntry> {
  const words = lastingProgram(machine.files, facts.program);
  const sg = await usableSg({ machine, facts }, signal);
  const line = `exec ${words.map(shellQuote).join(" ")} mcp`;
  return {
    name: "isx",
    argv: sg === undefined ? [...words, "mcp"] : [sg, incusGroup, "-c", line],
    env: carried(facts.env),
    passedOn: [],
    writtenBy: "isx mcp register codex",
    replaces: "any",
  };
}

/** Who is in it may do with Incus, and so with this host, as root does. */
export const incusGroup = "incus-admin";

// A program that npm put on PATH starts by itself; a script wants the Node.js that runs it now.
function lastingProgram(
  files: OwnServerPorts["machine"]["files"],
  program: readonly string[],
): readonly string[] {
  const { argv, isTemporary } = stableProgram(files, program);
  const script = argv[1] ?? "";
  if (isTemporary) throw temporary(script);
  return basename(script) === "isx" && isExecutable(files, script) ? [script] : argv;
}

function temporary(script: string): Failure {
  return new Failure("refused", {
    code: "program-temporary",
    message: `${shownText(script)} is a temporary copy of isx that will be gone soon`,
    next: "Install isx with npm install -g @agent-control/isx, then run this again",
  });
}

/** The path of sg for a person who is in Incus' group as the system's database says it now; never for root. */
async function usableSg(
  { machine, facts }: OwnServerPorts,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (facts.uid <= 0) return undefined;
  const sg = findProgram(machine.files, ["sg"], facts.env["PATH"]);
  if (sg === undefined) return undefined;
  return (await isInGroup({ machine, facts }, signal)) ? sg : undefined;
}

async function isInGroup({ machine, facts }: OwnServerPorts, signal: AbortSignal): Promise<boolean> {
  const id = findProgram(machine.files, ["id"], facts.env["PATH"]);
  if (id === undefined) return false;
  const args = ["-nG", "--", String(facts.uid)];
  const ran = await machine.processes.run({
    file: id,
    args,
    timeoutMs: 10_000,
    maxOutputBytes: 65_536,
    signal,
  });
  return ran.exitCode === 0 && ran.stdout.trim().split(/\s+/).includes(incusGroup);
}

const carriedVariables = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "INCUS_SOCKET", "INCUS_DIR", "INCUS_PROJECT"];

function carried(env: ProcessFacts["env"]): Record<string, string> {
  return Object.fromEntries(carriedVariables.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
