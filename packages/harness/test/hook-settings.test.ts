import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { harnesses, hookSettings, shellQuote } from "../src/index.ts";

it("T-29 Claude Code's settings run the command at every hook, with its time-out in seconds", () => {
  const { hooks } = hookSettings(harnesses.claude, (event) => `'/opt/my tools/hook' '${event}'`);
  expect(Object.keys(hooks)).toEqual(harnesses.claude.hooks.map(({ event }) => event));
  expect(hooks["Stop"]).toEqual([
    { hooks: [{ type: "command", command: "'/opt/my tools/hook' 'Stop'", timeout: 5 }] },
  ]);
  expect(hooks["SessionEnd"]?.[0]?.hooks[0].timeout).toBe(3);
});

it("a harness without hooks has none to register", () => {
  expect(hookSettings(harnesses.none, () => "x")).toEqual({ hooks: {} });
});

const hostile = [
  "",
  "'",
  'it\'s $HOME `id` "q" \\',
  "-n",
  "a\nb",
  "# x",
  "~",
  "*",
  "!x",
  "x;",
  "ü 猫 👩‍🚀",
  "\\'",
];

it("T-09 a quoted word reaches a program byte for byte through a real sh", () => {
  const word = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: "binary" }), fc.string());
  const usable = word.map((text) => Buffer.from(text).toString().replaceAll("\0", ""));
  fc.assert(
    fc.property(fc.array(usable, { minLength: 1, maxLength: 20 }), (words) => {
      expect(throughShell(words)).toEqual(words);
    }),
    { numRuns: 60, examples: [[hostile]] },
  );
});

it("NUL, which no argument can hold, is refused", () => {
  expect(() => shellQuote("a\0b")).toThrow("NUL");
});

function throughShell(words: readonly string[]): string[] {
  const script = `printf '%s\\0' ${words.map(shellQuote).join(" ")}`;
  const printed = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" });
  return printed.split("\0").slice(0, -1);
}
