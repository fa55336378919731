import { userInfo } from "node:os";
import { type AuditFields, auditedCall } from "@agent-control/audit";
import { isAlive } from "@agent-control/base";
import {
  type ClaimedLaunch,
  createLaunches,
  isBelowSharedDaemon,
  isClaimed,
  launchAbove,
  type Places,
  refuseSharedDaemon,
} from "@agent-control/fleet";
import type { TongsConfig } from "@agent-control/policy";
import type { Machine } from "@agent-control/system";
import { configReader } from "./config.ts";
import { machineOf, type ProcessFacts, type Wiring, wire } from "./main.ts";
import { type Environment, placesOf } from "./places.ts";

/** What every verb is given. */
export interface CommandPorts extends Wiring {
  readonly facts: ProcessFacts;
  readonly places: Places;
  /** Today's configuration; throws the Failure of an invalid file. */
  readonly config: () => Promise<TongsConfig>;
  /** The launch of the agent whose shell this is. Undefined for a person, and where it cannot be told. */
  readonly above: ClaimedLaunch | undefined;
  /** Who a verb acts for: that launch's id, or "person". */
  readonly caller: string;
  /** Runs a driving verb and writes its one audit line. */
  readonly audited: <T>(
    call: { readonly action: string; readonly acting: boolean; readonly fields: AuditFields },
    body: (note: (fields: AuditFields) => void) => Promise<T>,
  ) => Promise<T>;
}

/** A verb below a launch works on that launch's files and is audited with it as the caller. */
export function commandPorts(facts: ProcessFacts): CommandPorts {
  const machine = machineOf(facts);
  const own = placesOf(facts.env, facts.home);
  const above = launchOf(machine, own, facts.env);
  const places = above ?? own;
  const wiring = wire(facts, places, machine);
  const actor = `cli:${userInfo().username}`;
  return {
    ...wiring,
    facts,
    places: wiring.fleet.places,
    config: () => configReader(machine.files, places).read(),
    above,
    caller: above?.id ?? "person",
    audited: async (call, body) => {
      const fields = { caller: above?.id ?? null, ...call.fields };
      const { clock } = machine;
      const { diagnose } = facts;
      const { value } = await auditedCall(
        wiring.audit,
        { ...call, actor, fields, clock, diagnose },
        async (note) => {
          refuseSharedDaemon(machine.processTable);
          return body(note);
        },
      );
      return value;
    },
  };
}

/**
 * The launch that this process runs under, else the living one that its environment names: a background job whose
 * shell has ended is still its agent's. Who only pretends to be an agent may do no more than a person.
 */
function launchOf(machine: Machine, own: Places, env: Environment): ClaimedLaunch | undefined {
  if (isBelowSharedDaemon(machine.processTable)) return undefined;
  const { stateDirectory: ownStateDirectory } = own;
  const above = launchAbove(machine, { pid: machine.processTable.self().pid, ownStateDirectory });
  if (above) return above.launch;
  const named = env["TONGS_AGENTS_LAUNCH_ID"];
  if (!named) return undefined;
  return createLaunches(machine, ownStateDirectory)
    .list()
    .filter(isClaimed)
    .find(({ id, process }) => id === named && isAlive(machine.processTable, process));
}
