import type { Finished } from "@agent-control/base";
import { expect, it } from "vitest";
import { readAbsence } from "../src/tmux-failure.ts";
import { parsePaneRow } from "../src/tmux-panes.ts";
import { parseScreen } from "../src/tmux-screen.ts";

const ended = (stderr: string, changed: Partial<Finished> = {}): Finished => ({
  ...{ exitCode: 1, signalName: undefined, stdout: "", stderr, timedOut: false, truncated: false },
  ...changed,
});

it.each([
  ["no server running on /tmp/tmux-0/default\n", "no-server"],
  ["error connecting to /tmp/a (b)/s (No such file or directory)\n", "no-server"],
  ["error connecting to /tmp/s (Connection refused)\n", "no-server"],
  ["can't find session: $9\n", "not-found"],
  ["can't find pane: %9\n", "not-found"],
  ["duplicate session: work\n", "name-taken"],
])("reads %j as an absence", (stderr, absence) => {
  expect(readAbsence(ended(stderr))).toBe(absence);
});

it.each([
  "error connecting to /tmp/s (Permission denied)\n",
  "server exited unexpectedly\n",
  "lost server\n",
  "protocol version mismatch (client 8, server 7)\n",
  "unknown command: list-panes\n",
  "",
])("T-13 reads %j as a failure to look", (stderr) => {
  expect(() => readAbsence(ended(stderr))).toThrow(expect.objectContaining({ outcome: "unavailable" }));
});

it("strips control characters from what tmux said", () => {
  expect(() => readAbsence(ended("bad \u001b[31mthing\u0007\n"))).toThrow(
    "tmux could not be asked: bad thing",
  );
});

it("names the signal that ended a silent client", () => {
  const killed = ended("", { exitCode: undefined, signalName: "SIGSEGV" });
  expect(() => readAbsence(killed)).toThrow(/SIGSEGV/);
});

const row = "77|$1|@2|%3|400|1|7||1|1|0|1|80|24|a | title";

it("reads a line of the list with every field", () => {
  expect(parsePaneRow(row)).toEqual({
    sessionId: "$1",
    pane: {
      ...{
        paneId: "%3",
        windowId: "@2",
        pid: 400,
        serverPid: 77,
        dead: true,
        deadStatus: 7,
        inMode: true,
        inputOff: true,
      },
      ...{
        synchronized: false,
        bracketedPaste: true,
        title: "a | title",
        endUnknown: false,
        width: 80,
        height: 24,
      },
    },
  });
  expect(parsePaneRow("77|$1|@2|%3|400|0|||0|0|0||80|24|").pane).toMatchObject({
    ...{ dead: false, deadStatus: undefined, bracketedPaste: undefined, title: "" },
  });
});

it("knows a dead pane whose end tmux has not learnt from one that a signal ended", () => {
  const endUnknown = (facts: string) =>
    parsePaneRow(`77|$1|@2|%3|400|${facts}|0|0|0||80|24|t`).pane.endUnknown;
  expect(endUnknown("1||")).toBe(true);
  expect(endUnknown("1||15")).toBe(false);
  expect(endUnknown("1|0|")).toBe(false);
  expect(endUnknown("0||")).toBe(false);
});

it("T-13 takes no half line for a pane, wherever it is cut", () => {
  const shortest = row.indexOf("a | title");
  for (let end = 0; end < shortest; end += 1) {
    expect(() => parsePaneRow(row.slice(0, end))).toThrow(
      expect.objectContaining({ outcome: "unavailable" }),
    );
  }
  expect(() => parseScreen("1|2|80\nx\n")).toThrow(expect.objectContaining({ outcome: "unavailable" }));
});
