import type { ScreenReading } from "@agent-control/harness";
import { describe, expect, it } from "vitest";
import { awaitEvidence } from "../src/evidence.ts";
import { isStanding } from "../src/standing-text.ts";
import { failureOf, paneBench } from "./bench.ts";
import { claude } from "./screens.ts";

const idle: ScreenReading = { state: "idle" };
const working: ScreenReading = { state: "working" };
const turn = { status: "working", turnStarted: true } as const;
const question = (before: ScreenReading | undefined, text = "hello") => ({
  text,
  before,
  turnSequenceBefore: 0,
  turnMs: 3_000,
});

describe("awaitEvidence", () => {
  it("T-18 sees the working marker appear, without any hook", async () => {
    const { ports, subject, show, after } = await paneBench();
    show(claude.idle);
    after(500, () => show(claude.working));
    expect(await awaitEvidence(ports, subject, question(idle))).toEqual({
      submitted: true,
      turnStarted: true,
      line: "screen: the working marker appeared after the paste",
    });
  });

  it("T-18 takes no turn event older than the paste for this prompt's", async () => {
    const { ports, subject, show, hook } = await paneBench();
    show(claude.idle);
    await hook("UserPromptSubmit", turn);
    const old = (await ports.activity.ofLaunch(subject.launchId))?.turnSequence ?? 0;
    const asked = { ...question(idle), turnSequenceBefore: old };
    expect(await awaitEvidence(ports, subject, asked)).toMatchObject({ submitted: true, turnStarted: false });
  });

  it("T-18 takes no working marker of the turn before for this prompt's", async () => {
    const { ports, subject, show, hook } = await paneBench();
    show(claude.working);
    expect(await awaitEvidence(ports, subject, question(working))).toMatchObject({ turnStarted: null });
    await hook("Stop", { status: "working" });
    expect(await awaitEvidence(ports, subject, question(working))).toMatchObject({ turnStarted: false });
  });

  it.each(["/permissions", "!ls", " \n!ls"])("T-18 cannot know whether %s begins a turn", async (text) => {
    const { ports, subject, show } = await paneBench();
    show(claude.idle);
    expect(await awaitEvidence(ports, subject, question(idle, text))).toMatchObject({
      submitted: true,
      turnStarted: null,
    });
  });

  it("T-18 T-39 takes no working marker of a command for a turn, but a hook's word", async () => {
    const { ports, subject, show, hook } = await paneBench();
    show(claude.working);
    const asked = question(idle, "!make");
    expect(await awaitEvidence(ports, subject, asked)).toMatchObject({ turnStarted: null });
    await hook("UserPromptSubmit", turn);
    expect(await awaitEvidence(ports, subject, asked)).toMatchObject({ turnStarted: true });
  });

  it.each([
    ["claude", null],
    ["codex", true],
    ["pi", true],
  ] as const)("T-18 claims for a prompt taken during a turn of %s: %s", async (harness, turnStarted) => {
    const { ports, subject, hook } = await paneBench({ harness });
    await hook("UserPromptSubmit", turn);
    expect(await awaitEvidence(ports, subject, question(working))).toMatchObject({
      submitted: true,
      turnStarted,
    });
  });

  it("T-18 knows nothing of a program without markers, and does not look", async () => {
    const { ports, subject, clock } = await paneBench({ harness: "none" });
    const started = clock.monotonic();
    const seen = await awaitEvidence(ports, subject, question(undefined));
    expect(seen).toMatchObject({ submitted: null, turnStarted: null });
    expect(clock.monotonic()).toBe(started);
  });

  it("T-18 presses Enter once more, and only once, while the text stands", async () => {
    const { ports, subject, show, typed, clock } = await paneBench();
    show(claude.draft("hello"));
    const started = clock.monotonic();
    expect(await awaitEvidence(ports, subject, question(idle))).toEqual({
      submitted: null,
      turnStarted: false,
      line: "screen: the text still stands in the prompt box",
    });
    expect(typed()).toBe("\r");
    expect(clock.monotonic() - started).toBe(3_000);
  });

  it("T-18 sees the turn that the second Enter began", async () => {
    const { ports, portsWith, subject, show, typed, multiplexer } = await paneBench();
    show(claude.draft("hello"));
    const reacting = portsWith({
      async pressEnter(target) {
        show(claude.working);
        return multiplexer.pressEnter(target);
      },
    });
    expect(await awaitEvidence(reacting, subject, question(idle))).toMatchObject({ turnStarted: true });
    expect(typed()).toBe("\r");
    expect(ports.multiplexer).toBe(multiplexer);
  });

  it.each([
    ["another text, which a person types by now", claude.draft("and then the"), "hello"],
    ["a few letters that the prompt holds by chance", claude.draft("he"), "hello"],
    ["a dialog", claude.permission, "hello"],
    ["nothing", claude.idle, "hello"],
  ])("T-18 presses no second Enter over %s", async (_what, screen, text) => {
    const { ports, subject, show, typed } = await paneBench();
    show(screen);
    await awaitEvidence(ports, subject, question(idle, text));
    expect(typed()).toBe("");
  });

  it("T-18 does not claim that a prompt was submitted when another text or a dialog hides the box", async () => {
    const { ports, subject, show } = await paneBench();
    show(claude.draft("another"));
    expect(await awaitEvidence(ports, subject, question(idle))).toMatchObject({ submitted: null });
    show(claude.permission);
    expect(await awaitEvidence(ports, subject, question(idle))).toMatchObject({ submitted: null });
  });

  it("T-18 knows nothing when the pane goes away", async () => {
    const { ports, subject, multiplexer, pane } = await paneBench();
    await multiplexer.close(pane);
    expect(await awaitEvidence(ports, subject, question(idle))).toEqual({
      submitted: null,
      turnStarted: null,
      line: "no turn was seen within 3 s: the pane is gone",
    });
  });

  it("T-18 is cancelled while it looks", async () => {
    const { ports, subject, show, after } = await paneBench();
    show(claude.idle);
    const stop = new AbortController();
    after(500, () => stop.abort());
    const asked = { ...question(idle), signal: stop.signal };
    expect(await failureOf(awaitEvidence(ports, subject, asked))).toMatchObject({ outcome: "cancelled" });
  });
});

describe("isStanding", () => {
  it.each([
    ["the same text, wrapped and indented", "fix the build please", "fix the\n  build please"],
    ["a mark of Claude Code", "a\nb\nc", "[Pasted text #1 +2 lines]"],
    ["a mark of Codex", "x".repeat(2_000), "[Pasted Content 2000 chars]"],
    ["a mark of Pi", "x".repeat(2_000), "[paste #3 +12 lines]"],
    ["a long part of it", `${"word ".repeat(40)}end`, "word ".repeat(20)],
    ["a joiner that the screen lost", "a\u200bb", "ab"],
  ])("T-18 knows %s again", (_what, text, draft) => {
    expect(isStanding(text, draft)).toBe(true);
  });

  it.each([
    ["a start of it", "hello world", "hello"],
    ["it with more behind", "hello", "hello and"],
    ["a mark with more behind", "hello", "[Pasted text #1] and"],
    ["nothing", "hello", ""],
  ])("T-18 takes %s for another text", (_what, text, draft) => {
    expect(isStanding(text, draft)).toBe(false);
  });
});
