import { join } from "node:path";
import { asFailure, type Failure } from "@agent-control/base";
import { harnesses } from "@agent-control/harness";
import {
  type AgentId,
  agentRegistration,
  type ClaudeChanges,
  claudeServer,
  commandLine,
  findProgram,
  registerWithClaude,
  tongsServer,
  unregisterFromClaude,
} from "@agent-control/harness/setup";
import type { CommandPorts } from "../command-ports.ts";
import { agentPlace } from "./agent-place.ts";
import { type ChangePorts, installFile, type Step, uninstallFile } from "./change-file.ts";
import { createUndoFile } from "./undo-file.ts";

/** The agent CLIs in the order in which they are shown. */
export const agentIds: readonly AgentId[] = ["claude", "codex", "opencode", "pi"];

export interface SetupRequest {
  readonly agents: readonly AgentId[];
  readonly verb: "install" | "uninstall";
  /** The registration of the MCP server only, without what reports the status. */
  readonly serverOnly: boolean;
  readonly dryRun: boolean;
  /** Codex runs the tools without asking. */
  readonly approve: boolean;
  /** argv that runs this program, without a verb. */
  readonly program: readonly string[];
  readonly signal: AbortSignal;
}

/** What became of one agent CLI. */
export interface AgentSetup {
  readonly agent: AgentId;
  readonly title: string;
  readonly steps: readonly Step[];
  /** Whole sentences for the person. */
  readonly notes: readonly string[];
  /** Why not everything was done; what the steps say is done all the same. */
  readonly failure: Failure | undefined;
}

/**
 * Installs into or uninstalls from each agent CLI in turn. One that fails does not stop the others; one that is not on
 * PATH is left out with a note, and is only cleaned up. Holds a lock, so that two runs do not mix.
 */
export function setUpAgents(ports: CommandPorts, request: SetupRequest): Promise<AgentSetup[]> {
  const work = async () => {
    const results: AgentSetup[] = [];
    for (const agent of request.agents) results.push(await setUpAgent(ports, agent, request));
    return results;
  };
  if (request.dryRun) return work();
  const { stateDirectory } = ports.places;
  ports.machine.files.makeDirectory(stateDirectory);
  const { signal } = request;
  const lock = { waitMs: 10_000, what: "the installation", signal };
  return ports.machine.locks.hold(join(stateDirectory, "install.lock"), lock, work);
}

async function setUpAgent(ports: CommandPorts, agent: AgentId, request: SetupRequest): Promise<AgentSetup> {
  const { title, programs } = harnesses[agent];
  const { env } = ports.facts;
  const found = findProgram(ports.machine.files, programs, env["PATH"]);
  if (found === undefined && request.verb === "install") {
    const note = `${title} is not on PATH, so nothing was done for it.`;
    return { agent, title, steps: [], notes: [note], failure: undefined };
  }
  const steps: Step[] = [];
  try {
    const notes = await changeAgent(ports, { agent, found, steps }, request);
    return { agent, title, steps, notes, failure: undefined };
  } catch (error) {
    const failure = asFailure(error);
    if (!failure || failure.outcome === "cancelled") throw error;
    return { agent, title, steps, notes: [], failure };
  }
}

interface Target {
  readonly agent: AgentId;
  /** Path of the agent CLI; undefined when it is not on PATH. */
  readonly found: string | undefined;
  /** Gets each step as soon as it is done. */
  readonly steps: Step[];
}

async function changeAgent(ports: CommandPorts, target: Target, request: SetupRequest): Promise<string[]> {
  const { facts, machine } = ports;
  const place = agentPlace(ports, request.program);
  const {
    files: all,
    notes,
    afterwards,
  } = agentRegistration(target.agent, { ...place, approve: request.approve });
  const files = all.filter(({ part }) => part === "server" || !request.serverOnly);
  const undo = createUndoFile(machine.files, join(ports.places.stateDirectory, "installed.json"));
  const change: ChangePorts = { ...machine, uid: facts.uid, undo, dryRun: request.dryRun };
  const changeFile = request.verb === "install" ? installFile : uninstallFile;
  // A file that cannot be edited is found before any other is written.
  for (const file of files) changeFile({ ...change, dryRun: true }, file);
  const changeFiles = () => {
    for (const file of files) target.steps.push(changeFile(change, file));
  };
  // Claude Code's own verbs run its hooks too, so these are written last and taken away first.
  if (request.verb === "uninstall") changeFiles();
  const own = target.agent === "claude" ? await changeClaude(ports, { ...target, change }, request) : [];
  if (request.verb === "install") changeFiles();
  return request.verb === "install" ? [...notes, ...afterwards, ...own] : own;
}

async function changeClaude(
  ports: CommandPorts,
  target: Target & { readonly change: ChangePorts },
  request: SetupRequest,
): Promise<string[]> {
  const server = claudeServer(ports.facts, tongsServer(request));
  if (target.found === undefined)
    return ["Claude Code is not on PATH, so its MCP server entry was not looked at."];
  const claude = {
    ...target.change,
    processes: ports.machine.processes,
    claude: target.found,
    signal: request.signal,
  };
  const register = request.verb === "install" ? registerWithClaude : unregisterFromClaude;
  target.steps.push(claudeStep(server.path, await register(claude, server), request));
  return [];
}

function claudeStep(
  path: string,
  changes: ClaudeChanges,
  { verb, dryRun }: Pick<SetupRequest, "verb" | "dryRun">,
): Step {
  const [wouldBe, was] =
    verb === "install" ? (["would-write", "written"] as const) : (["would-remove", "removed"] as const);
  const state = changes.length === 0 ? "unchanged" : dryRun ? wouldBe : was;
  const change = changes.map((args) => commandLine(["claude", ...args])).join("\n");
  return { what: "MCP server", state, path, change };
}
