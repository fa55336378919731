import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PaneRef } from "../src/index.ts";
import { fixture, startTmuxBench, type TmuxBench } from "./real-tmux.ts";
import { until } from "./until.ts";

let bench: TmuxBench;
let home: PaneRef;
let runs = 0;

beforeAll(async () => {
  bench = await startTmuxBench();
  home = await bench.multiplexer.createSession({ socket: bench.socket, name: "work", argv: bench.idle });
});
afterAll(() => bench.stop());

/** The words as a program in a new pane got them. */
async function argvOf(words: readonly string[]): Promise<string[]> {
  runs += 1;
  const file = join(bench.directory, `argv-${runs}`);
  const argv = [process.execPath, fixture("prints-argv.mjs"), file, ...words];
  await bench.multiplexer.open({ session: home.session, argv, name: "argv", keepWhenDead: false });
  await until("the argv", () => existsSync(file));
  return JSON.parse(readFileSync(file, "utf8"));
}

it("T-09 hands over every argument byte for byte", async () => {
  const touched = join(bench.directory, "touched");
  const words = [
    ...["two words", "", "", "'single'", '"double"', "$HOME", "`id`", "$(id)", "a\nb", "tab\there"],
    ...["tests;", ";", "\\;", "\\\\;", ";;", "a;b", "; kill-server", "\\", "{", "}", "#", "~", "%1", "="],
    ...[
      "-x",
      "--",
      "-",
      "漢字",
      "👩‍👩‍👧",
      "é",
      `#(touch ${touched})`,
      "#{pane_id}",
      "*",
      "!ls",
      "x".repeat(9000),
    ],
  ];
  expect(await argvOf(words)).toEqual(words);
  expect(existsSync(touched)).toBe(false);
});

it("T-09 hands over any words", async () => {
  const word = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom(";", "\\", "'", '"', "$", "#", "{", "}", "-", " ", "\n"),
      maxLength: 6,
    }),
  );
  const clean = word.filter((text) => !text.includes("\0"));
  await fc.assert(
    fc.asyncProperty(fc.array(clean, { maxLength: 8 }), async (words) => {
      expect(await argvOf(words)).toEqual(words);
    }),
    { numRuns: 15 },
  );
});

it("T-09 starts the first program of a session from the same exact argv", async () => {
  const file = join(bench.directory, "first");
  const words = ["a b;", ";", "#{pane_id}", "$HOME"];
  const argv = [process.execPath, fixture("prints-argv.mjs"), file, ...words];
  await bench.multiplexer.createSession({ socket: bench.socket, name: "first", argv });
  await until("the argv", () => existsSync(file));
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(words);
});

it("says what is too long instead of opening half of it", async () => {
  const { session } = home;
  const argv = ["sh", "-c", "true", "x".repeat(20_000)];
  const opened = bench.multiplexer.open({ session, argv, name: "long", keepWhenDead: true });
  await expect(opened).rejects.toMatchObject({ outcome: "usage", code: "command-too-long" });
  const names = await bench.tmux("list-windows", "-t", `${session.id}:`, "-F", "#{window_name}");
  expect(names).not.toContain("long");
});

it("T-17 keeps the pane of a program that ends at once, or that does not exist", async () => {
  const { session } = home;
  const open = (argv: string[]) =>
    bench.multiplexer.open({ session, argv, name: "brief", keepWhenDead: true });
  const ends = await open(["sh", "-c", "echo last words; exit 7"]);
  const missing = await open(["/nonexistent/program", "x"]);
  const seen = async (pane: PaneRef) =>
    (await bench.multiplexer.panes(session))?.find(({ paneId }) => paneId === pane.paneId);
  await until("both to end", async () => (await seen(ends))?.dead && (await seen(missing))?.dead);
  await until("the status", async () => (await seen(ends))?.deadStatus === 7);
  const screen = await bench.multiplexer.screen(ends);
  expect(screen?.lines).toContain("last words");
  await bench.multiplexer.close(ends);
  await bench.multiplexer.close(missing);
});
