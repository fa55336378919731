import { createHash } from "node:crypto";
import { Failure } from "@agent-control/base";
import type { Obstacle } from "@agent-control/multiplexer";
import { describe, expect, it } from "vitest";
import { type DeliverOptions, deliver, type PromptMark } from "../src/index.ts";
import { failureOf, paneBench, pasted } from "./bench.ts";
import { claude, codex } from "./screens.ts";

const options: DeliverOptions = {
  answerDialogs: false,
  whileWorking: "allow",
  readyMs: 30_000,
  turnMs: 3_000,
};
const turn = { status: "working", turnStarted: true } as const;

/** Claude Code at its empty box, its hooks at work. */
async function readyBench(extra: Parameters<typeof paneBench>[0] = {}) {
  const bench = await paneBench(extra);
  bench.show(claude.idle);
  await bench.hook("SessionStart", { status: "started" });
  return bench;
}

describe("deliver", () => {
  it("T-18 pastes once, presses Enter as a step of its own, and tells the turn that began", async () => {
    const { ports, subject, typed, after, hook, multiplexer, pane, clock } = await readyBench();
    const started = clock.monotonic();
    let enterAfter = 0;
    const slow = {
      ...ports,
      multiplexer: {
        ...multiplexer,
        pressEnter: async (target: typeof subject.target) => {
          enterAfter = clock.monotonic() - started;
          return multiplexer.pressEnter(target);
        },
      },
    };
    after(600, () => hook("UserPromptSubmit", turn));
    const sent = await deliver(slow, subject, "Grüße\nund mehr\n", options);
    expect(typed()).toBe(`${pasted("Grüße\nund mehr")}\r`);
    expect(enterAfter).toBe(250);
    expect(multiplexer.focused(pane.session)).toBe(pane.paneId);
    expect(sent).toMatchObject({
      bytes: 16,
      sha256: createHash("sha256").update("Grüße\nund mehr").digest("hex"),
      landed: true,
      submitted: true,
      turnStarted: true,
      priorTurn: undefined,
      evidence: "hook UserPromptSubmit: a turn began after the paste",
    });
  });

  it.each([
    [10, 250],
    [60_000, 600],
    [100_000, 1_000],
  ])("T-18 lets %d bytes settle for %d ms before Enter", async (bytes, ms) => {
    const { ports, subject, clock } = await readyBench();
    const times: number[] = [];
    const timed = {
      ...ports.multiplexer,
      paste: async (...args: Parameters<typeof ports.multiplexer.paste>) => {
        times.push(clock.monotonic());
        return ports.multiplexer.paste(...args);
      },
      pressEnter: async (...args: Parameters<typeof ports.multiplexer.pressEnter>) => {
        times.push(clock.monotonic());
        return ports.multiplexer.pressEnter(...args);
      },
    };
    await deliver({ ...ports, multiplexer: timed }, subject, "x".repeat(bytes), { ...options, turnMs: 0 });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(ms);
  });

  it.each<[string, readonly string[], string, RegExp, RegExp | undefined]>([
    [
      "a permission dialog",
      claude.permission,
      "dialog-open",
      /permission dialog/,
      /Do you want to proceed\?/,
    ],
    ["a menu", claude.menu, "dialog-open", /menu dialog/, /Permissions/],
    ["a half-typed draft", claude.draft("fix the"), "person-typing", /person is typing/, undefined],
    [
      "a draft typed while a turn runs",
      claude.workingWithDraft,
      "person-typing",
      /person is typing/,
      undefined,
    ],
    ["the trust dialog at start", claude.trust, "startup-dialog", /trust dialog/, /safety check/],
  ])("T-19 types nothing into %s", async (_what, screen, code, sentence, quote) => {
    const { ports, subject, typed, show } = await readyBench();
    show(screen);
    const failure = await failureOf(deliver(ports, subject, "hello", options));
    expect(failure).toMatchObject({ outcome: "refused", code });
    expect(failure.message).toMatch(sentence);
    if (quote) expect(failure.details["screen_text"]).toMatch(quote);
    expect(typed()).toBe("");
  });

  it("T-19 types nothing before a prompt box shows, and says so after 30 s", async () => {
    const { ports, subject, typed, show, clock } = await readyBench();
    show(claude.blank);
    const started = clock.monotonic();
    const failure = await failureOf(deliver(ports, subject, "hello", options));
    expect(failure).toMatchObject({ outcome: "refused", code: "not-ready" });
    expect(clock.monotonic() - started).toBe(30_000);
    expect(typed()).toBe("");
  });

  it("T-19 types nothing into a running turn where the profile refuses it, and there only", async () => {
    const { ports, subject, typed, show } = await readyBench();
    show(claude.working);
    const refusing = deliver(ports, subject, "hello", { ...options, whileWorking: "refuse" });
    expect(await failureOf(refusing)).toMatchObject({ outcome: "refused", code: "turn-running" });
    expect(typed()).toBe("");
    expect(await deliver(ports, subject, "hello", options)).toMatchObject({ priorTurn: "queued" });
  });

  it("T-19 types into an open dialog where the profile answers dialogs", async () => {
    const { ports, subject, typed, show } = await readyBench();
    show(claude.permission);
    await deliver(ports, subject, "1", { ...options, answerDialogs: true });
    expect(typed()).toBe(`${pasted("1")}\r`);
  });

  it.each([
    ["in copy mode", { inMode: true }, "refused", "pane-in-mode"],
    ["with its input off", { inputOff: true }, "refused", "pane-input-off"],
    ["synchronised with others", { synchronized: true }, "refused", "pane-synchronized"],
    ["whose program ended", { dead: true }, "exited", "pane-dead"],
    ["in which another process runs", { pid: 77 }, "refused", "pane-other-process"],
  ] as const)("T-19 types nothing into a pane %s", async (_what, facts, outcome, code) => {
    const { ports, subject, typed, multiplexer, pane } = await readyBench();
    multiplexer.change(pane, facts);
    expect(await failureOf(deliver(ports, subject, "hello", options))).toMatchObject({ outcome, code });
    expect(typed()).toBe("");
  });

  it("T-19 types nothing into a pane that is gone", async () => {
    const { ports, subject, multiplexer, pane } = await readyBench();
    await multiplexer.close(pane);
    expect(await failureOf(deliver(ports, subject, "hello", options))).toMatchObject({ code: "pane-gone" });
  });

  it.each<[Obstacle, object]>([
    ["in-mode", { inMode: true }],
    ["input-off", { inputOff: true }],
    ["synchronized", { synchronized: true }],
    ["dead", { dead: true }],
    ["other-process", { pid: 77 }],
  ])("T-18 says pasted, not submitted when the pane is %s before the Enter", async (obstacle, facts) => {
    const { portsWith, subject, typed, multiplexer, pane } = await readyBench();
    const ports = portsWith({
      async paste(target, text) {
        const acted = await multiplexer.paste(target, text);
        multiplexer.change(pane, facts);
        return acted;
      },
    });
    const failure = await failureOf(deliver(ports, subject, "hello", options));
    expect(failure).toMatchObject({ outcome: "error", code: "pasted-not-submitted" });
    expect(failure.cause).toMatchObject({ code: `pane-${obstacle}` });
    expect(failure.message).toContain("pasted, not submitted");
    expect(failure.message).not.toContain("nothing was typed");
    expect(typed()).toBe(pasted("hello"));
  });

  it("T-18 says pasted, not submitted when the pane is gone before the Enter", async () => {
    const { portsWith, subject, multiplexer, pane } = await readyBench();
    const ports = portsWith({
      async paste(target, text) {
        const acted = await multiplexer.paste(target, text);
        await multiplexer.close(pane);
        return acted;
      },
    });
    const failure = await failureOf(deliver(ports, subject, "hello", options));
    expect(failure).toMatchObject({ outcome: "error", code: "pasted-not-submitted" });
  });

  it.each([
    ["paste", "paste-unknown", /not known whether the text was pasted/],
    ["pressEnter", "enter-unknown", /was pasted, but it is not known whether it was submitted/],
  ] as const)(
    "T-13 says what is not known when the multiplexer fails at the %s",
    async (act, code, sentence) => {
      const { portsWith, subject } = await readyBench();
      const failure = await failureOf(
        deliver(portsWith({ [act]: () => Promise.reject(noAnswer()) }), subject, "hello", options),
      );
      expect(failure).toMatchObject({ outcome: "unavailable", code });
      expect(failure.message).toMatch(sentence);
      expect(failure.details).toEqual({});
    },
  );

  it("T-18 reports a landed prompt as such when the multiplexer cannot be asked afterwards", async () => {
    const { ports, portsWith, subject, typed, multiplexer } = await readyBench();
    const failing = portsWith({
      screen: (pane) => (typed() === "" ? multiplexer.screen(pane) : Promise.reject(noAnswer())),
    });
    expect(await deliver(failing, subject, "hello", options)).toMatchObject({
      landed: true,
      submitted: null,
      turnStarted: null,
      evidence: "no turn was seen within 3 s: No answer",
    });
    expect(typed()).toBe(`${pasted("hello")}\r`);
    expect(ports.multiplexer).toBe(multiplexer);
  });

  it("T-18 lets two senders type one after the other, each prompt whole", async () => {
    const { ports, subject, typed } = await readyBench();
    const both = ["one", "two"].map((text) => deliver(ports, subject, text, { ...options, turnMs: 0 }));
    await Promise.all(both);
    expect(typed()).toBe(`${pasted("one")}\r${pasted("two")}\r`);
  });

  it("T-18 gives the second sender up as busy after 10 s, with nothing of it typed", async () => {
    const { ports, portsWith, subject, typed, clock, multiplexer } = await readyBench();
    const slow = portsWith({
      async paste(target, text) {
        await clock.sleep(12_000);
        return multiplexer.paste(target, text);
      },
    });
    const first = deliver(slow, subject, "one", options);
    const started = clock.monotonic();
    const failure = await failureOf(deliver(ports, subject, "two", options));
    expect(failure).toMatchObject({ outcome: "error", code: "busy" });
    expect(clock.monotonic() - started).toBe(10_000);
    await first;
    expect(typed()).toBe(`${pasted("one")}\r`);
  });

  it("T-16 lets prompts to two panes overlap in time", async () => {
    const { ports, subject, multiplexer, pane } = await readyBench();
    const other = await multiplexer.open({
      session: pane.session,
      argv: ["x", "y"],
      name: "b",
      keepWhenDead: false,
    });
    const panePid = (await multiplexer.panes(pane.session))?.find(
      ({ paneId }) => paneId === other.paneId,
    )?.pid;
    multiplexer.show(other, claude.idle);
    const second = { ...subject, target: { ...subject.target, pane: other, panePid } };
    const order: string[] = [];
    await Promise.all([
      deliver(ports, subject, "one", { ...options, turnMs: 3_000 }).then(() => order.push("one")),
      deliver(ports, second, "two", { ...options, turnMs: 0 }).then(() => order.push("two")),
    ]);
    expect(order).toEqual(["two", "one"]);
  });

  it("T-16 marks a cancellation after the Enter as typed, and one before it not", async () => {
    const { ports, subject, typed, after } = await readyBench();
    const late = new AbortController();
    after(800, () => late.abort());
    const typedOne = await failureOf(deliver(ports, subject, "hello", { ...options, signal: late.signal }));
    expect(typedOne).toMatchObject({ outcome: "cancelled", details: { typed: true } });
    expect(typed()).toBe(`${pasted("hello")}\r`);

    const fresh = await readyBench();
    fresh.show(claude.blank);
    const early = new AbortController();
    fresh.after(800, () => early.abort());
    const untyped = await failureOf(
      deliver(fresh.ports, fresh.subject, "hello", { ...options, signal: early.signal }),
    );
    expect(untyped).toMatchObject({ outcome: "cancelled", details: {} });
    expect(fresh.typed()).toBe("");
  });

  it("T-18 types nothing when it is cancelled during the last look at the screen", async () => {
    const { portsWith, subject, typed, multiplexer } = await readyBench();
    const stop = new AbortController();
    const ports = portsWith({
      screen(pane) {
        stop.abort();
        return multiplexer.screen(pane);
      },
    });
    const failure = await failureOf(deliver(ports, subject, "hello", { ...options, signal: stop.signal }));
    expect(failure).toMatchObject({ outcome: "cancelled", details: {} });
    expect(typed()).toBe("");
  });

  it("T-18 still presses Enter when it is cancelled between paste and Enter", async () => {
    const { ports, subject, typed, after } = await readyBench();
    const stop = new AbortController();
    after(100, () => stop.abort());
    await failureOf(deliver(ports, subject, "hello", { ...options, signal: stop.signal }));
    expect(typed()).toBe(`${pasted("hello")}\r`);
  });

  it("T-22 tells the mark of the prompt at the Enter, before the turn is looked for", async () => {
    const { ports, subject, after, hook, clock } = await readyBench();
    await hook("UserPromptSubmit", turn);
    const before = (await ports.activity.ofLaunch(subject.launchId))?.turnSequence;
    const marks: PromptMark[] = [];
    const started = clock.monotonic();
    after(400, () => hook("UserPromptSubmit", turn));
    const sent = await deliver(ports, subject, "hello", {
      ...options,
      onSubmitted: (mark) => marks.push(mark),
    });
    expect(marks).toEqual([{ turnSequence: before, at: started + 250, turnStarted: false }]);
    expect(sent.mark).toEqual({ turnSequence: before, at: started + 250, turnStarted: true });
  });

  it("T-19 refuses several lines for a program that may take them one by one, and types one line", async () => {
    const { ports, subject, typed } = await paneBench({
      harness: "none",
      capabilities: { bracketedPasteKnown: false },
    });
    expect(await failureOf(deliver(ports, subject, "a\nb", options))).toMatchObject({
      outcome: "unsupported",
      code: "bracketed-paste-unknown",
    });
    expect(typed()).toBe("");
    expect(await deliver(ports, subject, "ls", options)).toMatchObject({
      submitted: null,
      turnStarted: null,
    });
    expect(typed()).toBe(`${pasted("ls")}\r`);
  });

  it("T-18 refuses a text over the multiplexer's limit with the number, and types nothing", async () => {
    const { ports, subject, typed } = await paneBench({ capabilities: { maxPasteBytes: 10 } });
    const failure = await failureOf(deliver(ports, subject, "12345678901", options));
    expect(failure).toMatchObject({ outcome: "unsupported", code: "paste-too-long" });
    expect(failure.message).toContain("at most 10");
    expect(typed()).toBe("");
  });
});

describe("readiness", () => {
  it("T-19 takes the first hook event of Claude Code as ready, at once", async () => {
    const { ports, subject, clock } = await readyBench();
    const started = clock.monotonic();
    await deliver(ports, subject, "hello", { ...options, turnMs: 0 });
    expect(clock.monotonic() - started).toBe(250);
  });

  it("T-19 types to a Claude Code without hooks once its box has stood for 3 s", async () => {
    const { ports, subject, clock, show } = await paneBench();
    show(claude.idle);
    const started = clock.monotonic();
    await deliver(ports, subject, "hello", { ...options, turnMs: 0 });
    expect(clock.monotonic() - started).toBe(3_250);
  });

  it("T-19 counts the 3 s anew when the box goes away", async () => {
    const { ports, subject, clock, show, after } = await paneBench();
    show(claude.idle);
    const started = clock.monotonic();
    after(2_000, () => show(claude.blank));
    after(2_500, () => show(claude.idle));
    await deliver(ports, subject, "hello", { ...options, turnMs: 0 });
    expect(clock.monotonic() - started).toBeGreaterThanOrEqual(5_750);
  });

  it("T-19 types to Codex when its idle marker stands on a settled screen, with no hook at all", async () => {
    const { ports, subject, clock, show, typed } = await paneBench({ harness: "codex" });
    const started = clock.monotonic();
    show(codex.idle);
    await deliver(ports, subject, "hello", { ...options, turnMs: 0 });
    expect(clock.monotonic() - started).toBe(500);
    expect(typed()).toBe(`${pasted("hello")}\r`);
  });

  it("T-19 refuses a permission that only an event tells, at once and unless dialogs are answered", async () => {
    const { ports, subject, typed, show, hook, clock } = await paneBench();
    show(claude.blank);
    await hook("PermissionRequest", { status: "waiting", detail: "permission" });
    const started = clock.monotonic();
    expect(await failureOf(deliver(ports, subject, "1", options))).toMatchObject({ code: "dialog-open" });
    expect(clock.monotonic()).toBe(started);
    expect(typed()).toBe("");
    await deliver(ports, subject, "1", { ...options, answerDialogs: true, turnMs: 0 });
    expect(typed()).toBe(`${pasted("1")}\r`);
  });

  it("T-19 takes the notice that the agent idles for no dialog, and waits for its box", async () => {
    const { ports, subject, typed, show, hook } = await paneBench();
    show(claude.blank);
    await hook("Notification", { status: "waiting", detail: "idle" });
    expect(await failureOf(deliver(ports, subject, "hello", options))).toMatchObject({ code: "not-ready" });
    expect(typed()).toBe("");
  });

  it("T-19 gives up when the process ends while it is waited for", async () => {
    const { ports, subject, show, after, processTable, panePid } = await paneBench();
    show(claude.blank);
    after(1_000, () => processTable.exit(panePid, { zombie: true }));
    expect(await failureOf(deliver(ports, subject, "hello", options))).toMatchObject({ outcome: "exited" });
  });
});

function noAnswer(): Failure {
  return new Failure("unavailable", { code: "multiplexer-timeout", message: "No answer", next: "Try again" });
}
