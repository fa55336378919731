import {
  fakeClock,
  fakeRandom,
  memoryFiles,
  type Script,
  scriptedProcesses,
} from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { createTmux } from "../src/index.ts";

const startWith = (script: Script) =>
  createTmux({
    processes: scriptedProcesses(fakeClock(), script),
    files: memoryFiles(),
    random: fakeRandom(),
    uid: 1000,
    env: {},
  });

const startVersion = (printed: string) => startWith(() => ({ stdout: `${printed}\n` }));

it("names the package to install when there is no tmux", async () => {
  await expect(startWith(() => "missing")).rejects.toMatchObject({
    outcome: "unavailable",
    code: "tmux-missing",
    next: expect.stringContaining("apt install tmux"),
  });
});

it.each(["tmux 3.1c", "tmux 2.9a", "tmux 1.8"])("refuses %s as too old", async (printed) => {
  await expect(startVersion(printed)).rejects.toMatchObject({ outcome: "unsupported", code: "tmux-too-old" });
});

it.each([
  ["tmux 3.2", false],
  ["tmux 3.3a", false],
  ["tmux 3.6", false],
  ["tmux 3.7b", true],
  ["tmux next-3.8", true],
  ["tmux 3.10", true],
  ["tmux 4.0", true],
  ["tmux master", false],
])("knows of %s that asking about bracketed paste is possible: %s", async (printed, known) => {
  const tmux = await startVersion(printed);
  expect(tmux.capabilities.bracketedPasteKnown).toBe(known);
});
