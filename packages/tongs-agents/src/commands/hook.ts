import { join } from "node:path";
import { createActivity } from "@agent-control/activity";
import { createLaunches, reportingAgent } from "@agent-control/fleet";
import { type Harness, harnesses } from "@agent-control/harness";
import { createMachine } from "@agent-control/system";
import { readHookPayload } from "../hook-payload.ts";
import type { ProcessFacts } from "../main.ts";
import { placesOf } from "../places.ts";

/**
 * `tongs-agents hook EVENT --agent NAME`, run by an agent CLI with the event as JSON on stdin: updates the status
 * record. Exits 0 whatever happens, since a hook must never break its agent; says why on stderr.
 */
export async function runHook(argv: readonly string[], facts: Omit<ProcessFacts, "diagnose">): Promise<void> {
  process.stderr.on("error", () => {}); // Nobody may be left to read it.
  try {
    await report(argv, facts);
  } catch (error) {
    process.stderr.write(`tongs-agents hook: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

async function report(argv: readonly string[], facts: Omit<ProcessFacts, "diagnose">): Promise<void> {
  const machine = createMachine({ onError: () => {} });
  const { stateDirectory } = placesOf(facts.env, facts.home);
  const activity = createActivity({ ...machine, directory: join(stateDirectory, "fleet") });
  const sequence = activity.takeSequence();
  const ts = machine.clock.now();
  const [event = "", flag = "", name = ""] = argv;
  const payload = await readHookPayload(process.stdin);
  const harness = harnessNamed(flag, name);
  const reading = harness.readHook(event, payload);
  if (!reading) return;
  const launches = createLaunches(machine, stateDirectory);
  const launchId = facts.env["TONGS_AGENTS_LAUNCH_ID"];
  const reporter = reportingAgent({ ...machine, launches }, { harness: harness.id, launchId });
  await activity.apply({
    ...reading,
    harness: harness.id,
    instance: "",
    launchId: reporter.launchId,
    process: reporter.process,
    event,
    sequence,
    ts,
  });
}

function harnessNamed(flag: string, name: string): Harness {
  const found = Object.values(harnesses).find((harness) => flag === "--agent" && harness.id === name);
  if (!found) throw new Error(`it is run as: tongs-agents hook EVENT --agent NAME`);
  return found;
}
