import { join } from "node:path";
import { type Activity, createActivity } from "@agent-control/activity";
import { ancestors, type Files, type Locks, type ProcessSeen, type ProcessTable } from "@agent-control/base";
import { createLaunches, isClaimed } from "@agent-control/fleet";
import { type Harness, type HarnessId, harnesses, harnessOf } from "@agent-control/harness";
import { createMachine } from "@agent-control/system";
import type { ProcessFacts } from "../main.ts";
import { type Environment, placesOf } from "../places.ts";

const maxPayloadBytes = 64 * 1024;

/**
 * `tongs-agents hook EVENT --agent NAME`, run by an agent CLI with the event as JSON on stdin: updates the status
 * record. Exits 0 whatever happens, since a hook must never break its agent; says why on stderr.
 */
export async function runHook(argv: readonly string[], facts: Omit<ProcessFacts, "diagnose">): Promise<void> {
  try {
    const machine = createMachine({ onError: () => {} });
    const { stateDirectory } = placesOf(facts.env, facts.home);
    const activity = createActivity({ ...machine, directory: join(stateDirectory, "fleet") });
    const sequence = activity.takeSequence();
    const ts = machine.clock.now();
    const harness = agentOf(argv);
    if (harness)
      await report(
        { ...machine, activity },
        { event: argv[0] ?? "", harness, env: facts.env, stateDirectory, sequence, ts },
      );
  } catch (error) {
    process.stderr.write(`tongs-agents hook: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

interface HookCall {
  readonly event: string;
  readonly harness: Harness;
  readonly env: Environment;
  readonly stateDirectory: string;
  readonly sequence: number;
  readonly ts: number;
}

interface HookPorts {
  readonly activity: Activity;
  readonly files: Files;
  readonly locks: Locks;
  readonly processTable: ProcessTable;
}

async function report(ports: HookPorts, call: HookCall): Promise<void> {
  const reading = call.harness.readHook(call.event, parse(await readInput()));
  if (!reading) return;
  const agent = nearestAgent(ports.processTable, call.harness.id);
  const { turnStarted, ...status } = reading;
  await ports.activity.apply({
    ...status,
    harness: call.harness.id,
    instance: "",
    launchId: agent && launchOf(ports, call, agent),
    process: agent?.seen,
    event: call.event,
    turnStarted,
    sequence: call.sequence,
    ts: call.ts,
  });
}

interface Agent {
  readonly seen: ProcessSeen;
  readonly parent: ProcessSeen | undefined;
}

/** The nearest ancestor that is an agent CLI of this kind: a nested one reports for itself, not for its parent. */
function nearestAgent(table: ProcessTable, harness: HarnessId): Agent | undefined {
  const chain = ancestors(table, table.self().pid);
  const index = chain.findIndex((seen) => harnessOf("auto", table.argv(seen.pid) ?? []).id === harness);
  const seen = chain[index];
  return seen && { seen, parent: chain[index + 1] };
}

/** The launch whose process is that agent, or the wrapper that started it directly. */
function launchOf(ports: HookPorts, call: HookCall, agent: Agent): string | undefined {
  const id = call.env["TONGS_AGENTS_LAUNCH_ID"];
  const launch = id === undefined ? undefined : createLaunches(ports, call.stateDirectory).read(id);
  if (!launch || !isClaimed(launch)) return undefined;
  const { pid, start } = launch.process;
  const isIt = [agent.seen, agent.parent].some((seen) => seen?.pid === pid && seen.start === start);
  return isIt ? launch.id : undefined;
}

function agentOf(argv: readonly string[]): Harness | undefined {
  const name = argv[argv.indexOf("--agent") + 1];
  return Object.values(harnesses).find((harness) => harness.id === name);
}

async function readInput(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk;
    if (text.length > maxPayloadBytes) break;
  }
  return text.slice(0, maxPayloadBytes);
}

/** A payload cut at 64 KiB or otherwise broken says nothing. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
