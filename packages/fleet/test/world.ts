import { createActivity } from "@agent-control/activity";
import type { Failure, ProcessTable } from "@agent-control/base";
import {
  fakeClock,
  fakeProcessTable,
  fakeRandom,
  manualWatch,
  memoryFiles,
  memoryLocks,
} from "@agent-control/base/testing";
import type { PaneRef } from "@agent-control/multiplexer";
import { fakeMultiplexer } from "@agent-control/multiplexer/testing";
import { createRateWindow, type Profile, parseTongsConfig, type TongsConfig } from "@agent-control/policy";
import { createLaunches, type FleetPorts, type Launch, launchId } from "../src/index.ts";

export const socket = "/run/tmux/agents";
export const stateDirectory = "/state";
const directory = "/state/fleet";
const ownPid = 4242;
/** fakeMultiplexer counts from here: its server, then its panes. */
const serverPid = 1000;
const homePid = 1001;

/** A machine in memory with one session, whose home pane runs the caller, whose child is this process. */
export async function fleetWorld() {
  const clock = fakeClock({ autoAdvance: true });
  const locks = memoryLocks(clock);
  const files = memoryFiles();
  const processTable = fakeProcessTable({ pid: ownPid, parent: homePid });
  const server = processTable.add({ pid: serverPid });
  processTable.add({ pid: homePid, parent: serverPid });
  const watch = manualWatch();
  const activity = createActivity({ files, locks, clock, processTable, watch, directory });
  const multiplexer = fakeMultiplexer();
  files.place(socket, "socket");
  files.makeDirectory("/work");
  const random = fakeRandom();
  const home = await multiplexer.createSession({ socket, name: "agents", argv: ["claude", "--now"] });
  const launches = createLaunches({ files, locks }, stateDirectory);
  const ports: FleetPorts = {
    ...{ files, locks, clock, random, processTable, activity, launches },
    rate: createRateWindow({ files, locks, clock, random, processTable, directory: "/run/ta/mcp-rate" }),
    places: { configFile: "/config/config.toml", stateDirectory, runtimeDirectory: "/run/ta" },
    multiplexer: async () => multiplexer,
    claimProgram: ["/usr/bin/tongs-agents"],
    uid: 1000,
    home: "/home/me",
  };

  /** Its process, which becomes known to the machine when it is not yet. */
  async function processOf(pane: PaneRef) {
    const seen = (await multiplexer.panes(pane.session))?.find(({ paneId }) => paneId === pane.paneId);
    const pid = seen?.pid ?? 0;
    const known = processTable.look(pid);
    if (known) return { pid, start: known.start, bootId: known.bootId };
    return processTable.add({ pid, parent: serverPid });
  }

  /** A claimed launch of this pane, with what the test wants otherwise. */
  async function launchIn(pane: PaneRef, what: Partial<Launch> = {}): Promise<Launch> {
    const process = await processOf(pane);
    const launch = sampleLaunch({
      id: launchId(random.bytes(16)),
      session: { id: pane.session.id, name: pane.session.name },
      paneId: pane.paneId,
      server: { pid: serverPid, start: server.start },
      process,
      state: "claimed",
      claimedAt: "2026-01-01T00:00:01.000Z",
      ...what,
    });
    launches.create(launch);
    return launch;
  }

  return {
    ...{
      clock,
      locks,
      files,
      processTable,
      watch,
      directory,
      multiplexer,
      home,
      launches,
      ports,
      server,
      random,
    },
    processOf,
    launchIn,
    openPane: () =>
      multiplexer.open({ session: home.session, argv: ["x", "y"], name: "w", keepWhenDead: false }),
    caller: () => launchIn(home, { profile: "lead" }),
    after: (ms: number, act: () => unknown) => void clock.sleep(ms).then(act),
    verifyPorts: { ...ports, multiplexer },
  };
}

export type FleetWorld = Awaited<ReturnType<typeof fleetWorld>>;

export function sampleLaunch(what: Partial<Launch> = {}): Launch {
  return {
    schema: 1,
    id: "abcdefghijklmnopqrstuvwxyz",
    profile: "worker",
    harness: "claude",
    argv: ["claude"],
    env: {},
    cwd: "/work",
    baseDirectory: "/work",
    configFile: "/config/config.toml",
    stateDirectory,
    runtimeDirectory: "/run/ta",
    multiplexer: "tmux",
    session: { id: "$0", name: "agents" },
    socket,
    paneId: undefined,
    server: undefined,
    process: undefined,
    spawnedBy: undefined,
    createdAt: "2026-01-01T00:00:00.000Z",
    claimedAt: undefined,
    replacedBy: undefined,
    state: "pending",
    ...what,
  };
}

export const profile = (what: Partial<Profile> = {}): Profile => ({
  name: "worker",
  command: ["claude"],
  harness: "auto",
  cwd: ".",
  env: {},
  mcpControl: true,
  mcpAnswerDialogs: false,
  mcpSendWhileWorking: "allow",
  ...what,
});

/** A configuration in which `lead` and `worker` are opted in and `other` is not. */
export function config(control = "mcp_enabled = true"): Promise<TongsConfig> {
  const profiles = ["lead", "worker", "other"].map(
    (name) => `[profiles.${name}]\ncommand = ["claude"]\nmcp_control = ${name !== "other"}\n`,
  );
  return parseTongsConfig(Buffer.from(`[control]\n${control}\n${profiles.join("")}`), "/config/config.toml");
}

/** The process table as another process sees it. */
export function seenBy(table: ProcessTable, pid: number): ProcessTable {
  const seen = table.look(pid);
  if (!seen) throw new Error(`no process ${pid}`);
  return { ...table, self: () => ({ pid, start: seen.start, bootId: seen.bootId }) };
}

/** The Failure that the body ends with. */
export async function failureOf(body: Promise<unknown> | (() => unknown)): Promise<Failure> {
  try {
    const value = await (typeof body === "function" ? body() : body);
    throw new Error(`No Failure but ${JSON.stringify(value)}`);
  } catch (error) {
    if (error instanceof Error && error.name === "Failure") return error as Failure;
    throw error;
  }
}
