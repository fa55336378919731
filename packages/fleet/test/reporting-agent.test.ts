import { fakeClock, fakeProcessTable, memoryFiles, memoryLocks } from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { createLaunches, type Launch, reportingAgent } from "../src/index.ts";
import { sampleLaunch, stateDirectory } from "./world.ts";

const recordedPid = 100;
const id = sampleLaunch().id;
const claude = ["claude"];
const script = ["node", "/x/claude.mjs"];
const shell = ["/bin/sh", "-c", "hook"];

/** Who the hook at the end of this chain of programs speaks for; the first is the launch's recorded process. */
function reporter(chain: readonly (readonly string[])[], what: Partial<Launch> = {}, launchId?: string) {
  const hookPid = recordedPid + chain.length;
  const processTable = fakeProcessTable({ pid: hookPid, parent: hookPid - 1 });
  const [recorded] = chain.map((argv, index) =>
    processTable.add({ pid: recordedPid + index, parent: index === 0 ? 50 : recordedPid + index - 1, argv }),
  );
  processTable.add({ pid: 50, parent: 1, argv: ["tmux"] });
  if (!recorded) throw new Error("a chain has a program");
  const launches = createLaunches(
    { files: memoryFiles(), locks: memoryLocks(fakeClock({ autoAdvance: true })) },
    stateDirectory,
  );
  const server = { pid: 50, start: "1" };
  const { pid, start, bootId } = recorded;
  launches.create(
    sampleLaunch({ state: "claimed", paneId: "%1", server, process: { pid, start, bootId }, ...what }),
  );
  const said = reportingAgent({ processTable, launches }, { harness: "claude", launchId: launchId ?? id });
  return { pid: said.process?.pid, isLaunch: said.launchId === id };
}

it.each([
  ["the recorded process itself", [claude]],
  ["it, through the shell that a hook is run by", [claude, shell]],
  ["a script, which a wrapper started directly", [["/bin/bash", "/x/wrapper.sh"], script]],
  [
    "the program that npx started through a shell",
    [["npm exec @anthropic-ai/claude-code", ""], ["sh", "-c", "claude"], script],
  ],
  ["the native program of an npm package's script", [script, claude]],
] as const)("T-42 counts an event of %s", (_, chain) => {
  expect(reporter(chain)).toMatchObject({ isLaunch: true });
});

it.each([
  ["a nested agent in its tool's shell", [claude, ["/bin/bash", "-c", "claude -p x"], ["claude", "-p", "x"]]],
  ["a nested agent that replaced its tool's shell", [claude, ["claude", "-p", "x"]]],
  ["a nested script below a script", [script, [...script, "-p"]]],
  ["a nested agent below a wrapper's agent", [["/bin/bash", "/x/wrapper.sh"], script, ["claude", "-p"]]],
  ["an agent that some program of the pane started", [["python3", "tests.py"], ["make"], claude]],
  ["another kind of agent", [claude, ["codex", "exec"]]],
] as const)("T-42 does not count an event of %s", (_, chain) => {
  expect(reporter(chain)).toMatchObject({ isLaunch: false });
});

it("T-42 takes the word of the profile for a program that nobody knows by its name", () => {
  expect(reporter([["/opt/agent"]])).toEqual({ pid: recordedPid, isLaunch: true });
  expect(reporter([["/opt/agent"]], { harness: "none" })).toEqual({ pid: undefined, isLaunch: false });
});

it("T-42 names the nested agent's own process for its own session", () => {
  expect(reporter([claude, ["bash"], ["claude", "-p"]]).pid).toBe(recordedPid + 2);
});

it("T-42 counts nothing for a launch that is unknown, pending or of a recycled pid", () => {
  expect(reporter([claude], {}, "zzzzzzzzzzzzzzzzzzzzzzzzzz").isLaunch).toBe(false);
  expect(reporter([claude], { state: "pending", process: undefined }).isLaunch).toBe(false);
  const other = { pid: recordedPid, start: "another", bootId: "boot" };
  expect(reporter([claude], { process: other })).toEqual({ pid: recordedPid, isLaunch: false });
});
