import { expect } from "vitest";
import type { Reply } from "./claude-world.ts";

interface Sender {
  send(launchId: string, text: string): Promise<Reply>;
  /** Texts of the prompts that started a model turn, in order. */
  prompts(): string[];
}

interface Sent {
  readonly text: string;
  readonly reply: Reply;
  readonly ms: number;
}

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

/**
 * Sends texts of every shape, each once the turn before it is over, and expects that what every answer says of its turn
 * is what the model saw, and that the model saw each text once, in order.
 */
export async function sendMany(
  world: Sender,
  launchId: string,
  options: { readonly count: number; readonly turnOver: (turns: number) => Promise<unknown> },
): Promise<void> {
  const sends: Sent[] = [];
  for (let n = 0; n < options.count; n++) {
    const text = shapes[n % shapes.length]?.(n) ?? "";
    const started = performance.now();
    const reply = await world.send(launchId, text);
    sends.push({ text, reply, ms: performance.now() - started });
    await options.turnOver(n + 1);
  }
  report(sends);
  const prompts = world.prompts();
  expect(sends.filter(({ reply }) => !reply.ok)).toEqual([]);
  expect(sends.filter(({ text, reply }) => !isTruth(prompts.includes(text), reply))).toEqual([]);
  expect(prompts).toEqual(sends.map(({ text }) => text));
}

/** True: a model turn began with exactly this text. False: none did. Null claims nothing. */
function isTruth(arrived: boolean, reply: Reply): boolean {
  const claim = reply.delivery?.turn_started;
  return claim === null || claim === arrived;
}

function report(sends: readonly Sent[]): void {
  const times = sends.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const of = (claim: boolean | null) =>
    sends.filter(({ reply }) => reply.delivery?.turn_started === claim).length;
  const middle = Math.round(times[Math.floor(times.length / 2)] ?? 0);
  console.log(
    `${sends.length} sends, median ${middle} ms; turn_started ${of(true)} true, ${of(false)} false, ${of(null)} null`,
  );
}
