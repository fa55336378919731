import { afterEach, expect, vi } from "vitest";
import { type ClaudeWorld, claudeIt, createClaudeWorld, type Reply } from "./claude-world.ts";
import { until } from "./world.ts";

const count = Number(process.env["CLAUDE_SENDS"] ?? 60);
vi.setConfig({ testTimeout: 60_000 + count * 10_000 });

let world: ClaudeWorld;
afterEach(() => world?.close());

/**
 * Texts that something on their way could take for more than text; a number makes each its own. None has a TAB, which
 * Claude Code itself turns into blanks.
 */
const shapes: readonly ((n: number) => string)[] = [
  (n) => `say ok, number ${n}`,
  (n) => Array.from({ length: 20 }, (_, line) => `line ${line} of prompt ${n}`).join("\n"),
  (n) => `世界の果てまで ${n} 日本語のテキスト`,
  (n) => `👩‍👩‍👧‍👦 and 🏳️‍🌈 and 👍🏽 in prompt ${n}`,
  (n) => `prompt ${n}: ${"a long line without an end, ".repeat(180)}x`,
  (n) => `- a dash before prompt ${n}`,
  (n) => `prompt ${n} ends like a tmux command;`,
  (n) => `#{pane_id} #(date) of prompt ${n}`,
  (n) => `prompt ${n} with "quotes" 'and' \`ticks\` $HOME \\n %1 ~ !x`,
  (n) => `prompt ${n} with\n\nan empty line and an @at /slash`,
];

claudeIt(
  `T-18 T-20 ${count} sends: what turn_started says is what the model saw, each text once`,
  async () => {
    world = await createClaudeWorld();
    world.writeProfiles(world.claudeProfile("agent"));
    const agent = await world.launch("agent");
    await world.shows(agent, /\? for shortcuts/);
    const sends: { readonly text: string; readonly reply: Reply; readonly ms: number }[] = [];
    for (let n = 0; n < count; n++) {
      const text = shapes[n % shapes.length]?.(n) ?? "";
      const started = performance.now();
      const reply = await world.send(agent, text);
      sends.push({ text, reply, ms: performance.now() - started });
      await until(() => isOver(agent, n + 1), 20_000, `turn ${n} is over`);
    }
    report(sends);
    expect(sends.filter(({ reply }) => !reply.ok)).toEqual([]);
    expect(sends.filter(({ text, reply }) => !isTruth(text, reply))).toEqual([]);
    expect(world.prompts()).toEqual(sends.map(({ text }) => text));
  },
);

/** So that no prompt meets a running turn: every turn so far is answered, and hook and screen say so too. */
function isOver(agent: string, turns: number): boolean {
  const answered = world.model.requests().filter(({ side, state }) => !side && state === "sent");
  const isDone = world.statusRecords(agent)[0]?.["status"] === "done";
  return answered.length >= turns && isDone && !world.screen(agent).includes("esc to interrupt");
}

/** True: a model turn began with exactly this text. False: none did. Null claims nothing. */
function isTruth(text: string, reply: Reply): boolean {
  const claim = reply.delivery?.turn_started;
  return claim === null || claim === world.prompts().includes(text);
}

function report(sends: readonly { readonly reply: Reply; readonly ms: number }[]): void {
  const times = sends.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const of = (claim: boolean | null) =>
    sends.filter(({ reply }) => reply.delivery?.turn_started === claim).length;
  const middle = Math.round(times[Math.floor(times.length / 2)] ?? 0);
  console.log(
    `${sends.length} sends, median ${middle} ms; turn_started ${of(true)} true, ${of(false)} false, ${of(null)} null`,
  );
}
