import type { StatusRecord } from "@agent-control/activity";
import type { ScreenReading } from "@agent-control/harness";
import { describe, expect, it } from "vitest";
import { combine, readState } from "../src/index.ts";
import { failureOf, paneBench } from "./bench.ts";
import { claude } from "./screens.ts";

const record = (status: StatusRecord["status"], detail = ""): StatusRecord => ({
  schema: 1,
  ...{
    id: "claude-0",
    harness: "claude",
    sessionId: "s",
    launchId: "l",
    cwd: "/",
    repo: "",
    process: undefined,
  },
  ...{ status, detail, tool: "", ts: 5_000, sequence: 9, lastEvent: "E", turnSequence: 7, turnTs: 4_000 },
});
const dialog = { kind: "permission", quote: "Do you want to proceed?" } as const;

describe("combine", () => {
  it.each<[string, StatusRecord | undefined, ScreenReading, string, string, string]>([
    ["an idle box after a finished turn", record("done"), { state: "idle" }, "done", "hook", ""],
    [
      "an idle box while the hook says working: Escape fires none",
      record("working"),
      { state: "idle" },
      "done",
      "screen",
      "",
    ],
    [
      "an idle box after an answered dialog",
      record("waiting", "permission"),
      { state: "idle" },
      "done",
      "screen",
      "",
    ],
    [
      "an idle box after a failed turn",
      record("error", "overloaded"),
      { state: "idle" },
      "error",
      "hook",
      "overloaded",
    ],
    ["an idle box of a session that ended", record("ended"), { state: "idle" }, "done", "screen", ""],
    ["an idle box without any hook", undefined, { state: "idle" }, "done", "screen", ""],
    ["a draft", record("done"), { state: "draft", draft: "x" }, "done", "hook", ""],
    [
      "a dialog that the hook told",
      record("waiting", "permission"),
      { state: "dialog", dialog },
      "waiting",
      "hook",
      "permission",
    ],
    [
      "a dialog that no hook told",
      record("working"),
      { state: "dialog", dialog },
      "waiting",
      "screen",
      "permission",
    ],
    [
      "a dialog after the idle notice",
      record("waiting", "idle"),
      { state: "dialog", dialog },
      "waiting",
      "screen",
      "permission",
    ],
    ["the idle notice", record("waiting", "idle"), { state: "idle" }, "done", "hook", "idle"],
    ["a start-up dialog", undefined, { state: "startup" }, "starting", "screen", "startup"],
    ["a running turn", record("working"), { state: "working" }, "working", "hook", ""],
    ["a running turn that no hook told yet", record("done"), { state: "working" }, "working", "screen", ""],
    [
      "an unknown screen while the hook says waiting",
      record("waiting", "choice"),
      { state: "unknown" },
      "waiting",
      "hook",
      "choice",
    ],
    ["an unknown screen after a finished turn", record("done"), { state: "unknown" }, "done", "hook", ""],
    [
      "an unknown screen after the first hook",
      record("started"),
      { state: "unknown" },
      "starting",
      "hook",
      "",
    ],
    [
      "an unknown screen of a session that ended while its process lives",
      record("ended"),
      { state: "unknown" },
      "starting",
      "screen",
      "",
    ],
    ["an unknown screen without any hook", undefined, { state: "unknown" }, "starting", "screen", ""],
  ])("T-21 reads %s", (_what, hook, screen, state, source, detail) => {
    const reading = combine(hook, screen);
    expect(reading).toMatchObject({ state, source, detail, turnSequence: hook ? 7 : 0 });
    // The time of an event says nothing about a state that only the screen tells.
    expect(reading.since).toBe(source === "hook" ? 5_000 : 0);
    expect(reading.dialog).toBe(screen.dialog?.quote);
  });
});

describe("readState", () => {
  it("T-21 reads the hook's word and checks it against the screen", async () => {
    const { ports, subject, show, hook } = await paneBench();
    show(claude.working);
    await hook("UserPromptSubmit", { status: "working" });
    expect(await readState(ports, subject)).toMatchObject({ state: "working", source: "hook" });
    show(claude.idle);
    expect(await readState(ports, subject)).toMatchObject({ state: "done", source: "screen" });
    show(claude.permission);
    expect(await readState(ports, subject)).toMatchObject({
      state: "waiting",
      dialog: "Bash command: Do you want to proceed?",
    });
  });

  it.each([
    ["the process is gone", { zombie: false }],
    ["the process is a zombie", { zombie: true }],
  ])("T-21 says exited when %s, whatever the screen shows", async (_what, how) => {
    const { ports, subject, show, processTable, panePid } = await paneBench();
    show(claude.working);
    processTable.exit(panePid, how);
    expect(await readState(ports, subject)).toMatchObject({ state: "exited", source: "process", since: 0 });
  });

  it("T-21 says exited when the pid has another start time", async () => {
    const { ports, subject, show, processTable, panePid } = await paneBench();
    show(claude.working);
    processTable.reuse(panePid);
    expect(await readState(ports, subject)).toMatchObject({ state: "exited" });
  });

  it("T-13 does not take a deleted socket for the end of a live agent", async () => {
    const { ports, subject, multiplexer, socket, processTable, panePid } = await paneBench();
    multiplexer.stop(socket);
    expect(await failureOf(readState(ports, subject))).toMatchObject({
      outcome: "unavailable",
      code: "multiplexer-unreachable",
    });
    processTable.exit(panePid);
    expect(await readState(ports, subject)).toMatchObject({ state: "exited", source: "process" });
  });

  it("T-21 says exited when the pane is not listed", async () => {
    const { ports, subject, multiplexer, pane } = await paneBench();
    await multiplexer.close(pane);
    expect(await readState(ports, subject)).toMatchObject({ state: "exited" });
  });

  it("T-13 says unavailable, not exited, when the multiplexer cannot be asked", async () => {
    const { ports, subject, multiplexer, socket } = await paneBench();
    multiplexer.setSilent(socket, true);
    expect(await failureOf(readState(ports, subject))).toMatchObject({ outcome: "unavailable" });
  });

  it("T-21 says unsupported for a program without status, and whether it lives", async () => {
    const { ports, subject, processTable, panePid } = await paneBench({ harness: "none" });
    const failure = await failureOf(readState(ports, subject));
    expect(failure).toMatchObject({ outcome: "unsupported", details: { alive: true } });
    expect(failure.message).toContain("its process is alive");
    processTable.exit(panePid);
    expect(await readState(ports, subject)).toMatchObject({ state: "exited" });
  });
});
