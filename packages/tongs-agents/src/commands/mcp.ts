import { asFailure } from "@agent-control/base";
import { isBelowSharedDaemon, launchAbove, type Places } from "@agent-control/fleet";
import { ownProcess, serveStdio } from "@agent-control/mcp";
import type { Machine } from "@agent-control/system";
import { controlCatalogue, fleetCatalogue } from "../catalogue.ts";
import { configReader } from "../config.ts";
import { controlFailureReply } from "../failure-reply.ts";
import { instructions } from "../instructions.ts";
import { machineOf, type ProcessFacts, wire } from "../main.ts";
import { version } from "../version.ts";

/** `tongs-agents mcp`: serves the tools on this process's stdio until its client is gone. */
export async function serveMcp(facts: Omit<ProcessFacts, "diagnose">, ownPlaces: Places): Promise<void> {
  const { input, output, stopped, diagnose } = ownProcess(process);
  const machine = machineOf({ diagnose });
  const launchId = callerOf(machine, facts.env["TONGS_AGENTS_LAUNCH_ID"] || undefined);
  const places = placesOfCaller(machine, ownPlaces, launchId);
  const wiring = wire({ ...facts, diagnose }, places, machine);
  const config = configReader(machine.files, places);
  await serveStdio({
    name: "tongs-agents",
    version,
    instructions,
    catalogue: (await isEnabled(config)) ? [...fleetCatalogue, ...controlCatalogue] : fleetCatalogue,
    tools: async () => {
      const { controlTools, fleetTools } = await import("../tools.ts");
      return [...fleetTools, ...controlTools];
    },
    openContext: async () => {
      const { createControlContext } = await import("@agent-control/fleet");
      const today = await config.read().then(
        (value) => () => value,
        (error: unknown) => () => {
          throw error;
        },
      );
      return createControlContext(wiring.fleet, launchId, today);
    },
    failureReply: controlFailureReply,
    audit: {
      log: wiring.audit,
      actor: launchId === undefined ? "mcp" : `mcp:${launchId}`,
      fields: { caller: launchId ?? null, target: null },
    },
    clock: machine.clock,
    input,
    output,
    stopped,
    diagnose,
  });
}

/** The id that the environment names; nobody where it may be another's, so that the audit blames nobody. */
function callerOf({ processTable }: Machine, id: string | undefined): string | undefined {
  try {
    return isBelowSharedDaemon(processTable) ? undefined : id;
  } catch (error) {
    if (!asFailure(error)) throw error;
    return id; // Every control call will say why the caller cannot be looked at.
  }
}

/** A server of a launch uses that launch's files, whatever its client did to the environment. */
function placesOfCaller(machine: Machine, own: Places, id: string | undefined): Places {
  const launch = id === undefined ? undefined : launchOf(machine, own, id);
  if (!launch) return own;
  const { configFile, stateDirectory, runtimeDirectory } = launch;
  return { configFile, stateDirectory, runtimeDirectory };
}

function launchOf(machine: Machine, { stateDirectory: ownStateDirectory }: Places, id: string) {
  try {
    const { pid } = machine.processTable.self();
    return launchAbove(machine, { pid, ownStateDirectory, id })?.launch;
  } catch (error) {
    if (!asFailure(error)) throw error;
    return undefined; // Every control call will say why the caller cannot be looked at.
  }
}

/** Off, and off for an invalid file: the control tools are then not listed at all. */
async function isEnabled(config: ReturnType<typeof configReader>): Promise<boolean> {
  try {
    return (await config.read()).control.mcpEnabled;
  } catch {
    return false; // Every control call will say what is wrong with the file.
  }
}
