import { execFileSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Failure } from "@agent-control/base";
import { runProgram } from "@agent-control/cli";
import { expect, it } from "vitest";
import { commands } from "../src/command-line.ts";

const reached = "verb-reached";

/** Runs words of the command line up to the point where the verb itself would start. */
async function run(argv: readonly string[]) {
  const stdout = new PassThrough();
  const program = {
    name: "tongs-agents",
    version: "1.2.3",
    summary: "For this test",
    commands,
    ports: () => {
      throw new Failure("error", { code: reached, message: "The words were read", next: "Go on" });
    },
  };
  const exitCode = await runProgram(program, {
    argv,
    env: {},
    stdin: Readable.from([]),
    stdout,
    stderr: new PassThrough().resume(),
    signals: new EventEmitter(),
    clock: { monotonic: () => 0 },
  });
  stdout.end();
  return { exitCode, stdout: await text(stdout) };
}

/** The words of a command line as a shell reads them, without where its output goes. */
function wordsOf(line: string): string[] {
  const words = line.replace(/ [>|].*$/, "");
  return execFileSync("sh", ["-c", `printf '%s\\0' ${words}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
}

it.each(commands.map((listing) => [listing.name, listing] as const))(
  "C-03 %s loads, explains itself, and its example is a command line that is read",
  async (name, listing) => {
    const command = await listing.load();
    const [program, ...words] = wordsOf(command.example);
    expect(program).toBe("tongs-agents");
    expect(words.slice(0, name.split(" ").length)).toEqual(name.split(" "));
    const json = command.ownsStdout && !command.flags.some((flag) => flag.name === "json") ? [] : ["--json"];
    const { stdout, exitCode } = await run([...words, ...json]);
    expect({ exitCode, code: json.length > 0 ? JSON.parse(stdout).code : reached }).toEqual({
      exitCode: 1,
      code: reached,
    });
    const help = (await run([...name.split(" "), "--help"])).stdout;
    for (const said of [command.example, listing.summary, ...command.flags.map((flag) => `--${flag.name}`)])
      expect(help.replace(/\s+/g, " ")).toContain(said);
    expect(command.description).toMatch(/\.$/);
  },
);

it("C-03 verbs have names of their own, flags no name twice, and summaries are one line without a full stop", async () => {
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
  for (const { summary, load } of commands) {
    const { flags, arguments: taken } = await load();
    const names = flags.flatMap(({ name, short }) => (short ? [name, short] : [name]));
    expect(new Set(names).size).toBe(names.length);
    for (const line of [summary, ...flags.map((flag) => flag.summary), ...taken.map((word) => word.summary)])
      expect(line).toMatch(/^[^\n]{3,90}[^.\n]$/);
  }
});

it("C-03 the man page and the completion know every verb", async () => {
  const page = (await run(["man-page"])).stdout;
  for (const { name } of commands) expect(page.replaceAll("\\-", "-")).toContain(name);
  const { lines } = JSON.parse((await run(["__complete", "--json", "--", ""])).stdout) as { lines: string[] };
  const firstWords = new Set(commands.map(({ name }) => name.split(" ")[0]));
  expect(lines.map((line) => line.split("\t")[0])).toEqual(expect.arrayContaining([...firstWords]));
});
