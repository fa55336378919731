import { type Activity, type ActivityEvent, createActivity } from "@agent-control/activity";
import { type Failure, isAlive } from "@agent-control/base";
import {
  fakeClock,
  fakeProcessTable,
  manualWatch,
  memoryFiles,
  memoryLocks,
} from "@agent-control/base/testing";
import { type HarnessId, harnesses } from "@agent-control/harness";
import type { Capabilities, Multiplexer } from "@agent-control/multiplexer";
import { fakeMultiplexer } from "@agent-control/multiplexer/testing";
import type { PanePorts, Subject } from "../src/index.ts";

export const launchId = "abcdefghijklmnopqrstuvwxyz";
const socket = "/run/user/1000/tmux";

/** An agent in a pane in memory, whose clock moves by itself. */
export async function paneBench(
  options: { readonly harness?: HarnessId; readonly capabilities?: Partial<Capabilities> } = {},
) {
  const clock = fakeClock({ autoAdvance: true });
  const locks = memoryLocks(clock);
  const processTable = fakeProcessTable();
  const watch = manualWatch();
  const directory = "/state/fleet";
  const activity = createActivity({
    files: memoryFiles(),
    locks,
    clock,
    processTable,
    watch,
    directory,
  });
  const multiplexer = fakeMultiplexer(
    options.capabilities === undefined ? {} : { capabilities: options.capabilities },
  );
  const pane = await multiplexer.createSession({ socket, name: "agents", argv: ["agent", "--run"] });
  const panePid = (await multiplexer.panes(pane.session))?.[0]?.pid ?? 0;
  // The person's own pane, which keeps the server when the agent's closes.
  await multiplexer.open({
    session: pane.session,
    argv: ["sh", "-i"],
    name: "home",
    keepWhenDead: false,
  });
  const process = processTable.add({ pid: panePid });
  const subject: Subject = {
    target: { pane, serverPid: (await multiplexer.server(socket))?.pid ?? 0, panePid },
    harness: harnesses[options.harness ?? "claude"],
    launchId,
    isAlive: () => isAlive(processTable, process),
  };
  const ports: PanePorts = { multiplexer, activity, clock, locks, lockDirectory: "/run/panes" };
  const hook = async (event: string, what: Partial<ActivityEvent> = {}) => {
    await activity.apply({ ...sample(activity, clock.now()), process, event, ...what });
    watch.change(directory);
  };
  return {
    ...{
      clock,
      locks,
      processTable,
      watch,
      directory,
      multiplexer,
      pane,
      panePid,
      process,
      subject,
      ports,
      socket,
    },
    hook,
    show: (lines: readonly string[]) => multiplexer.show(pane, lines),
    typed: () => multiplexer.received(pane),
    /** Does it so many milliseconds from now. */
    after: (ms: number, act: () => unknown) => void clock.sleep(ms).then(act),
    /** The same ports with some acts of the multiplexer replaced. */
    portsWith: (acts: Partial<Multiplexer>): PanePorts => ({
      ...ports,
      multiplexer: { ...multiplexer, ...acts },
    }),
  };
}

function sample(activity: Activity, ts: number): ActivityEvent {
  return {
    ...{ harness: "claude", sessionId: "s", instance: "", launchId, cwd: "/work", process: undefined },
    ...{ status: "working", detail: "", tool: "", turnStarted: false, event: "Some" },
    ...{ sequence: activity.takeSequence(), ts },
  };
}

/** The Failure that the promise ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const ended = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in ended && ended.error instanceof Error && ended.error.name === "Failure") {
    return ended.error as Failure;
  }
  throw new Error(`No Failure but ${JSON.stringify(ended)}`, { cause: ended });
}

export const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;
