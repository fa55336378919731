import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtFleet } from "./built-fleet.ts";

const fleet = builtFleet();

it("C-01 puts a table on stdout and nothing on stderr", async () => {
  expect(await fleet.run(["list"])).toEqual({
    stdout: "NAME  STATE\nk3f   working\nm8x   working\n",
    stderr: "",
    exitCode: 0,
  });
});

it("C-01 fits a table to the width of a terminal", async () => {
  const names = "a".repeat(200);
  const { stdout } = await fleet.shell(
    `FLEET_NAMES=${names} script -qec 'stty cols 30; fleet list' /dev/null </dev/null`,
  );
  const lines = plainLines(stdout);
  expect(lines).toContain(`${"a".repeat(23)}…  wor…`);
  expect(Math.max(...lines.map((line) => line.length))).toBe(30);
});

it("C-01 does not cut a table in a pipe", async () => {
  const { stdout } = await fleet.run(["list"], "", { ...process.env, FLEET_NAMES: "a".repeat(5000) });
  expect(stdout).toContain(`${"a".repeat(5000)}  working\n`);
});

it("C-01 says a failure in one line on stderr and exits with its code", async () => {
  const { stdout, stderr, exitCode } = await fleet.run(["fail", "refused"]);
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: "",
    stderr: "fleet: The agent \\u{1b}[31mk3f is not yours. Ask its owner.\n",
    exitCode: 5,
  });
});

it("C-01 shows the stack of a bug on stderr only, without the control characters of its message", async () => {
  const { stdout, stderr, exitCode } = await fleet.run(["fail", "bug", "--json"]);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, exit_code: 1, code: "internal-error" });
  expect(stdout).not.toContain("no such thing");
  expect(stderr).toMatch(/^fleet: This is a bug in fleet\..*\nTypeError: no such thing\n {4}at /);
  expect(stderr).not.toContain("\u001b");
});

it("C-02 shows control characters of a value as escapes", async () => {
  const env = { ...process.env, FLEET_NAMES: "a\u001b[2J\tb\u202e" };
  const table = await fleet.run(["list"], "", env);
  expect(table.stdout).toContain("a\\u{1b}[2J\\tb\\u{202e}  working\n");
  const json = await fleet.run(["list", "--json"], "", env);
  expect(json.stdout).toContain("a\\u001b[2J\\tb\\u202e");
  expect(JSON.parse(json.stdout)).toEqual({ agents: [{ name: "a\u001b[2J\tb\u202e" }] });
});

it("C-02 colours a terminal unless NO_COLOR says no", async () => {
  const line = "script -qec 'fleet list' /dev/null </dev/null";
  const coloured = await fleet.shell(`env -u NO_COLOR TERM=xterm ${line}`);
  expect(coloured.stdout).toContain("\u001b[32mworking");
  const plain = await fleet.shell(`NO_COLOR=1 FORCE_COLOR=1 TERM=xterm ${line}`);
  expect(plain.stdout).toContain("k3f   working");
});

it("C-02 colours a pipe only with FORCE_COLOR", async () => {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  expect((await fleet.run(["list"], "", env)).stdout).not.toContain("\u001b");
  expect((await fleet.run(["list"], "", { ...env, FORCE_COLOR: "1" })).stdout).toContain("\u001b[32mworking");
});

it("C-03 prints the version", async () => {
  expect(await fleet.run(["--version"])).toEqual({ stdout: "fleet 1.2.3\n", stderr: "", exitCode: 0 });
});

it("names the argument that is not UTF-8", async () => {
  const { stderr, exitCode } = await fleet.shell("fleet wait $'caf\\xe9'");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Argument 2 (");
});

it("refuses standard input that is not UTF-8", async () => {
  const { stderr, exitCode } = await fleet.shell("printf 'caf\\xe9' | fleet echo");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Standard input is not UTF-8");
});

it("C-53 loads neither help, tables nor the measure of wide characters for --version", async () => {
  const coverage = mkdtempSync(join(fleet.directory, "coverage-"));
  await fleet.run(["--version"], "", { ...process.env, NODE_V8_COVERAGE: coverage });
  const [report = ""] = readdirSync(coverage);
  const { result } = JSON.parse(readFileSync(join(coverage, report), "utf8")) as {
    result: { url: string }[];
  };
  const loaded = result.map(({ url }) => url).filter((url) => url.includes(fleet.directory));
  const text = loaded.map((url) => readFileSync(new URL(url), "utf8")).join("\n");
  expect(text).toContain("runProgram");
  expect(text).not.toMatch(/function programHelp|function renderTable|Segmenter|completionScripts/);
});

function plainLines(text: string): string[] {
  // biome-ignore lint/complexity/useRegexLiterals: the escape character is easier to see like this
  return text.replace(new RegExp("\\u001b\\[[0-9]*m", "g"), "").split(/\r?\n/);
}
