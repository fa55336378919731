import { Failure } from "@agent-control/base";
import type { Multiplexer } from "@agent-control/multiplexer";
import { describe, expect, it } from "vitest";
import { awaitState, type WaitOptions } from "../src/index.ts";
import { failureOf, paneBench } from "./bench.ts";
import { claude, codex } from "./screens.ts";

const turn = { status: "working", turnStarted: true } as const;
const options = (what: Partial<WaitOptions> = {}): WaitOptions => ({
  until: "done",
  timeoutMs: 45_000,
  signal: new AbortController().signal,
  verifyCaller: async () => {},
  progress: () => {},
  ...what,
});

describe("awaitState", () => {
  it("T-22 ends at once when the hook and the screen say so already", async () => {
    const { ports, subject, show, hook, clock } = await paneBench();
    show(claude.idle);
    await hook("Stop", { status: "done" });
    const started = clock.monotonic();
    expect(await awaitState(ports, subject, options({ timeoutMs: 0 }))).toMatchObject({
      reading: { state: "done", source: "hook" },
      turnStarted: undefined,
    });
    expect(clock.monotonic()).toBe(started);
  });

  it("T-70 is woken by a changed record and does not wait for its next look", async () => {
    const { ports, subject, show, hook, clock, after } = await paneBench();
    show(claude.working);
    await hook("UserPromptSubmit", turn);
    const started = clock.monotonic();
    after(1_000, async () => {
      show(claude.idle);
      await hook("Stop", { status: "done" });
    });
    await awaitState(ports, subject, options());
    expect(clock.monotonic() - started).toBe(1_000);
  });

  it("T-70 sees a change within 600 ms where nothing can be watched", async () => {
    const { ports, subject, show, hook, clock, after } = await paneBench();
    const unwatched = {
      ...ports,
      activity: {
        ...ports.activity,
        onChange: () => {
          throw new Failure("error", { code: "watch-limit", message: "No watch left", next: "" });
        },
      },
    };
    show(claude.working);
    await hook("UserPromptSubmit", turn);
    const started = clock.monotonic();
    after(1_000, async () => {
      show(claude.idle);
      await hook("Stop", { status: "done" });
    });
    await awaitState(unwatched, subject, options());
    expect(clock.monotonic() - started).toBeLessThanOrEqual(1_600);
  });

  it("T-22 after a send counts done only once a newer turn began", async () => {
    const { ports, subject, show, hook, clock, after } = await paneBench();
    show(claude.idle);
    await hook("UserPromptSubmit", turn);
    await hook("Stop", { status: "done" });
    const old = (await ports.activity.ofLaunch(subject.launchId))?.turnSequence ?? 0;
    const started = clock.monotonic();
    after(2_000, async () => {
      show(claude.working);
      await hook("UserPromptSubmit", turn);
    });
    after(4_000, async () => {
      show(claude.idle);
      await hook("Stop", { status: "done" });
    });
    const end = await awaitState(
      ports,
      subject,
      options({ after: { turnSequence: old, at: started, turnStarted: false } }),
    );
    expect(end).toMatchObject({ reading: { state: "done" }, turnStarted: true });
    expect(clock.monotonic() - started).toBe(4_000);
  });

  it("T-22 after a send takes 10 s without a turn for done, and says so", async () => {
    const { ports, subject, show, hook, clock } = await paneBench();
    show(claude.idle);
    await hook("Stop", { status: "done" });
    const started = clock.monotonic();
    const at = started - 3_000;
    const end = await awaitState(
      ports,
      subject,
      options({ after: { turnSequence: 0, at, turnStarted: false } }),
    );
    expect(end).toMatchObject({ reading: { state: "done" }, turnStarted: false });
    expect(clock.monotonic() - started).toBeGreaterThanOrEqual(7_000);
    expect(clock.monotonic() - started).toBeLessThanOrEqual(7_450);
  });

  it("T-22 after a send that saw its turn begin takes done at once", async () => {
    const { ports, subject, show, hook, clock } = await paneBench();
    show(claude.idle);
    await hook("Stop", { status: "done" });
    const at = clock.monotonic();
    const end = await awaitState(
      ports,
      subject,
      options({ after: { turnSequence: 0, at, turnStarted: true } }),
    );
    expect(end).toMatchObject({ turnStarted: true });
    expect(clock.monotonic()).toBe(at);
  });

  it("T-22 after a send to an agent without hooks takes a turn on the screen for its turn", async () => {
    const { ports, subject, show, clock, after } = await paneBench({ harness: "codex" });
    show(codex.working);
    after(3_000, () => show(codex.idle));
    const at = clock.monotonic();
    const end = await awaitState(
      ports,
      subject,
      options({ after: { turnSequence: 0, at, turnStarted: false } }),
    );
    expect(end).toMatchObject({ turnStarted: true });
    expect(clock.monotonic() - at).toBeLessThan(5_000);
  });

  it("T-22 after a send does not take the error of the turn before for this one's", async () => {
    const { ports, subject, show, hook, clock, after } = await paneBench();
    show(claude.idle);
    await hook("UserPromptSubmit", turn);
    await hook("StopFailure", { status: "error", detail: "overloaded" });
    const old = (await ports.activity.ofLaunch(subject.launchId))?.turnSequence ?? 0;
    const at = clock.monotonic();
    after(500, async () => {
      show(claude.working);
      await hook("UserPromptSubmit", turn);
      show(claude.idle);
      await hook("Stop", { status: "done" });
    });
    const end = await awaitState(
      ports,
      subject,
      options({ after: { turnSequence: old, at, turnStarted: false } }),
    );
    expect(end).toMatchObject({ reading: { state: "done" }, turnStarted: true });
  });

  it("T-22 ends as an error at once when the turn fails, and as reached where attention is waited for", async () => {
    const { ports, subject, show, hook } = await paneBench();
    show(claude.idle);
    await hook("StopFailure", { status: "error", detail: "overloaded" });
    const failure = await failureOf(awaitState(ports, subject, options()));
    expect(failure).toMatchObject({ outcome: "error", exitCode: 1, details: { state: "error" } });
    expect(failure.message).toContain("overloaded");
    expect(await awaitState(ports, subject, options({ until: "attention" }))).toMatchObject({
      reading: { state: "error" },
    });
  });

  it.each(["exited", "attention"] as const)(
    "T-22 takes the end of the agent as reached where %s is waited for",
    async (until) => {
      const { ports, subject, show, clock, after, processTable, panePid } = await paneBench();
      show(claude.working);
      const started = clock.monotonic();
      after(2_000, () => processTable.exit(panePid));
      expect(await awaitState(ports, subject, options({ until }))).toMatchObject({
        reading: { state: "exited" },
      });
      expect(clock.monotonic() - started).toBeLessThanOrEqual(3_000);
    },
  );

  it("T-22 ends as exited within 1 s when the agent ends first", async () => {
    const { ports, subject, show, clock, after, processTable, panePid } = await paneBench();
    show(claude.working);
    const started = clock.monotonic();
    after(2_000, () => processTable.exit(panePid, { zombie: true }));
    const failure = await failureOf(awaitState(ports, subject, options()));
    expect(failure).toMatchObject({ outcome: "exited", exitCode: 4, details: { state: "exited" } });
    expect(clock.monotonic() - started).toBeLessThanOrEqual(3_000);
  });

  it("T-22 waits for the end of a program without status, and for nothing else of it", async () => {
    const { ports, subject, after, processTable, panePid } = await paneBench({ harness: "none" });
    expect(await failureOf(awaitState(ports, subject, options()))).toMatchObject({ outcome: "unsupported" });
    after(2_000, () => processTable.exit(panePid));
    expect(await awaitState(ports, subject, options({ until: "exited" }))).toMatchObject({
      reading: { state: "exited" },
    });
  });

  it("T-22 ends at the time-out with the state", async () => {
    const { ports, subject, show, hook, clock } = await paneBench();
    show(claude.permission);
    await hook("PermissionRequest", { status: "waiting", detail: "permission" });
    const started = clock.monotonic();
    const failure = await failureOf(awaitState(ports, subject, options({ timeoutMs: 7_000 })));
    expect(failure).toMatchObject({ outcome: "timeout", exitCode: 3, details: { state: "waiting" } });
    expect(clock.monotonic() - started).toBe(7_000);
  });

  it("T-22 tells the state that only the screen showed, also when there was no time to believe it", async () => {
    const { ports, subject, show } = await paneBench();
    show(claude.idle);
    const failure = await failureOf(awaitState(ports, subject, options({ timeoutMs: 0 })));
    expect(failure).toMatchObject({ outcome: "timeout", details: { state: "done" } });
    expect(failure.message).toContain("only just");
  });

  it("T-21 believes a state that only the screen tells once it stood for 0.9 s, not a flicker", async () => {
    const { ports, subject, show, hook, clock, after } = await paneBench();
    show(claude.working);
    await hook("UserPromptSubmit", turn);
    const started = clock.monotonic();
    after(1_000, () => show(claude.idle));
    after(1_500, () => show(claude.working));
    after(5_000, () => show(claude.idle));
    expect(await awaitState(ports, subject, options())).toMatchObject({ reading: { source: "screen" } });
    expect(clock.monotonic() - started).toBeGreaterThanOrEqual(5_900);
  });

  it("T-22 outlives one failed verification of the caller, and one now and then", async () => {
    const { ports, subject, show } = await paneBench();
    show(claude.working);
    let asked = 0;
    const verifyCaller = async () => {
      asked += 1;
      if (asked % 2 === 1) throw noAnswer();
    };
    const wait = awaitState(ports, subject, options({ timeoutMs: 31_000, verifyCaller }));
    expect(await failureOf(wait)).toMatchObject({ outcome: "timeout" });
    expect(asked).toBe(5);
  });

  it("T-22 ends as refused after two failed verifications in a row; a look that failed counts", async () => {
    const { ports, subject, show, clock } = await paneBench();
    show(claude.working);
    const started = clock.monotonic();
    const wait = awaitState(ports, subject, options({ verifyCaller: () => Promise.reject(noAnswer()) }));
    expect(await failureOf(wait)).toMatchObject({ outcome: "refused", code: "caller-not-verified" });
    expect(clock.monotonic() - started).toBeGreaterThanOrEqual(10_000);
    expect(clock.monotonic() - started).toBeLessThanOrEqual(11_000);
  });

  it("T-13 forgives a multiplexer that is silent for a moment, and again", async () => {
    const { ports, subject, show, hook, after, multiplexer, socket } = await paneBench();
    show(claude.working);
    await hook("UserPromptSubmit", turn);
    after(1_000, () => multiplexer.setSilent(socket, true));
    after(4_000, () => multiplexer.setSilent(socket, false));
    after(5_000, () => multiplexer.setSilent(socket, true));
    after(8_000, () => multiplexer.setSilent(socket, false));
    after(9_000, () => show(claude.idle));
    expect(await awaitState(ports, subject, options())).toMatchObject({ reading: { state: "done" } });
  });

  it("T-13 ends as unavailable, never as exited, when it stays silent", async () => {
    const { ports, subject, show, clock, after, multiplexer, socket } = await paneBench();
    show(claude.working);
    const started = clock.monotonic();
    after(1_000, () => multiplexer.setSilent(socket, true));
    expect(await failureOf(awaitState(ports, subject, options()))).toMatchObject({ outcome: "unavailable" });
    expect(clock.monotonic() - started).toBeLessThanOrEqual(7_000);
  });

  it("T-22 is cancelled at once between two looks, and stops watching", async () => {
    const { ports, subject, show, clock, after, watch } = await paneBench();
    show(claude.working);
    const stop = new AbortController();
    const started = clock.monotonic();
    after(1_234, () => stop.abort());
    const wait = awaitState(ports, subject, options({ signal: stop.signal }));
    expect(await failureOf(wait)).toMatchObject({ outcome: "cancelled", exitCode: 130 });
    expect(clock.monotonic() - started).toBe(1_234);
    expect(watch.watched()).toEqual([]);
  });

  it.each<[string, Partial<Multiplexer>, Partial<WaitOptions>]>([
    ["the multiplexer", { screen: () => new Promise(() => {}) }, {}],
    ["the caller's verification", {}, { verifyCaller: () => new Promise(() => {}) }],
  ])("T-22 is cancelled at once while %s hangs", async (_what, acts, more) => {
    const { portsWith, subject, show, after, clock } = await paneBench();
    show(claude.working);
    const stop = new AbortController();
    const started = clock.monotonic();
    after(6_000, () => stop.abort());
    const wait = awaitState(portsWith(acts), subject, options({ signal: stop.signal, ...more }));
    expect(await failureOf(wait)).toMatchObject({ outcome: "cancelled" });
    expect(clock.monotonic() - started).toBe(6_000);
  });

  it("T-22 is cancelled before it looks when the signal has fired already", async () => {
    const { ports, subject, show, hook } = await paneBench();
    show(claude.idle);
    await hook("Stop", { status: "done" });
    const signal = AbortSignal.abort();
    expect(await failureOf(awaitState(ports, subject, options({ signal })))).toMatchObject({
      outcome: "cancelled",
    });
  });

  it("T-22 tells its progress about once a second", async () => {
    const { ports, subject, show, hook, after } = await paneBench();
    show(claude.working);
    await hook("UserPromptSubmit", turn);
    for (let ms = 100; ms < 5_000; ms += 100) after(ms, () => hook("PostToolUse", { status: "working" }));
    const lines: string[] = [];
    await failureOf(
      awaitState(ports, subject, options({ timeoutMs: 5_000, progress: (line) => lines.push(line) })),
    );
    expect(lines).toEqual([
      "working for 0 s",
      "working for 1 s",
      "working for 2 s",
      "working for 3 s",
      "working for 4 s",
    ]);
  });
});

function noAnswer(): Failure {
  return new Failure("unavailable", { code: "multiplexer-timeout", message: "No answer", next: "Try again" });
}
