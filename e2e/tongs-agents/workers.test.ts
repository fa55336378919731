import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AgentWorld, createAgentWorld } from "./agent-world.ts";
import { isInstalled, type RealAgentId } from "./real-agents.ts";

vi.setConfig({ testTimeout: 120_000 });

/** What the three show and tell differently. */
interface Ways {
  readonly agent: RealAgentId;
  /** What a send during a turn says became of it. */
  readonly priorTurn: string;
  /** What it shows when it wants Escape a second time to interrupt a turn. */
  readonly wantsEscapeAgain: RegExp | undefined;
  /** Makes the agent ask for a permission; undefined: it never asks. */
  readonly asking: string | undefined;
  /** Signs before which a pasted command runs; before others it is an ordinary prompt. */
  readonly shellEscapes: readonly string[];
  /** After an API error. */
  readonly failed: { readonly state: string; readonly source: string };
}

const escalated = { cmd: "echo asked", sandbox_permissions: "require_escalated", justification: "a test" };
const ways: readonly Ways[] = [
  {
    agent: "codex",
    priorTurn: "interrupted",
    wantsEscapeAgain: undefined,
    shellEscapes: ["!"],
    asking: `[[call exec_command ${JSON.stringify(escalated)}]]`,
    // It reports nothing after a failed request; its empty box tells that the turn is over.
    failed: { state: "done", source: "screen" },
  },
  {
    agent: "opencode",
    priorTurn: "queued",
    shellEscapes: [],
    wantsEscapeAgain: /esc again to interrupt/,
    asking: `[[call bash ${JSON.stringify({ command: "echo asked", description: "a test" })}]]`,
    failed: { state: "error", source: "hook" },
  },
  {
    agent: "pi",
    priorTurn: "steered",
    wantsEscapeAgain: undefined,
    // It takes no notice of blanks before the sign.
    shellEscapes: ["!", " !"],
    asking: undefined,
    failed: { state: "error", source: "hook" },
  },
];
const sends = 3;

describe.each(ways.filter(({ agent }) => isInstalled(agent)))("as a worker, $agent", (way) => {
  let world: AgentWorld;
  let worker: string;
  beforeAll(async () => {
    world = await createAgentWorld(way.agent);
    worker = await world.launch("worker");
  });
  afterAll(() => world.close());
  it("T-18 T-22 gets each prompt as its own turn when it is idle", async () => {
    for (let count = 1; count <= sends; count += 1) {
      const text = `Line one of ${count},\nline two. [[say answer ${count}]]`;
      const sent = await world.send(worker, text);
      expect(sent).toMatchObject({ ok: true, delivery: { submitted: true, turn_started: true } });
      await world.model.waitForRequest(({ userText }) => userText === text, 10_000);
      expect(await world.answer("wait", worker, "--timeout", "30")).toMatchObject({
        ok: true,
        state: "done",
      });
    }
    expect(world.prompts()).toHaveLength(sends);
  });

  it("T-18 says what became of the running turn when it gets a prompt while it works", async () => {
    const first = "[[hold running]][[say first]]";
    await world.send(worker, first);
    await world.becomes(worker, "working");
    const sent = await world.send(worker, "[[say second]]");
    expect(sent).toMatchObject({ ok: true, delivery: { prior_turn: way.priorTurn } });
    world.model.release("running");
    await world.model.waitForRequest(({ userText }) => userText === "[[say second]]", 20_000);
    await world.becomes(worker, "done");
    expect(world.prompts().slice(-2)).toEqual([first, "[[say second]]"]);
  });

  it.skipIf(way.asking === undefined)("T-19 a permission dialog is left alone", async () => {
    await world.send(worker, way.asking ?? "");
    expect(await world.answer("wait", worker, "--until", "waiting", "--timeout", "30")).toMatchObject({
      ok: true,
    });
    await world.shows(worker, /Yes, proceed|Allow once/);
    const before = world.screen(worker);
    const sent = await world.send(worker, "is it done?");
    expect(sent).toMatchObject({ ok: false, code: "dialog-open" });
    expect(sent.error).toContain("permission dialog");
    expect(world.screen(worker)).toBe(before);
    expect(world.prompts()).not.toContain("is it done?");
    world.press(worker, "Escape");
    await world.becomes(worker, "done");
  });

  it("T-19 a half-typed text is left alone", async () => {
    world.press(worker, "-l", "half-typed");
    await world.shows(worker, /half-typed/);
    expect(await world.send(worker, "not now")).toMatchObject({ ok: false, code: "person-typing" });
    expect(world.screen(worker)).toContain("half-typed");
    world.press(worker, ...Array(10).fill("BSpace"));
    await world.becomes(worker, "done");
    expect(world.prompts()).not.toContain("not now");
  });

  it.each(["!", " !", "$ ", "@", "#"])(
    "T-39 a command behind %j runs only as a shell escape, and then claims no turn",
    async (sign) => {
      const file = `escaped-${sign.codePointAt(0)}`;
      const text = `${sign}touch ${file}`;
      const runs = way.shellEscapes.includes(sign);
      const before = world.prompts().length;
      const sent = await world.send(worker, text);
      expect(sent).toMatchObject({
        ok: true,
        delivery: { submitted: true, turn_started: runs ? null : true },
      });
      await world.becomes(worker, "done");
      expect(existsSync(join(world.projectDirectory, file))).toBe(runs);
      expect(world.prompts().slice(before)).toEqual(runs ? [] : [text.trim()]);
    },
  );

  it("T-21 does not stay working after its person interrupted it", async () => {
    await world.send(worker, "[[hold never-released]]");
    await world.becomes(worker, "working");
    world.press(worker, "Escape");
    if (way.wantsEscapeAgain) {
      await world.shows(worker, way.wantsEscapeAgain);
      world.press(worker, "Escape");
    }
    await world.becomes(worker, "done");
  });

  it("T-21 tells a failed request as far as it reports one", async () => {
    await world.send(worker, "[[fail 400]]");
    await world.model.waitForRequest(({ status }) => status === 400, 10_000);
    expect(await world.becomes(worker, way.failed.state)).toMatchObject(way.failed);
    expect(await world.send(worker, "[[say better]]")).toMatchObject({
      ok: true,
      delivery: { turn_started: true },
    });
    await world.becomes(worker, "done");
  });

  it.runIf(way.agent === "codex")(
    "T-19 the question at its start whether to trust a folder is named",
    async () => {
      const stranger = await world.launch("stranger");
      await world.shows(stranger, /Trust this folder/);
      const before = world.screen(stranger);
      const sent = await world.send(stranger, "go");
      expect(sent).toMatchObject({ ok: false, code: "startup-dialog" });
      expect(sent.error).toContain("trust dialog");
      expect(world.screen(stranger)).toBe(before);
    },
  );

  it("leaves nothing running when its workspace ends", async () => {
    expect(world.leftRunning()).not.toEqual([]);
    world.tmux("kill-server");
    await vi.waitFor(() => expect(world.leftRunning()).toEqual([]), { timeout: 20_000 });
  });
});
