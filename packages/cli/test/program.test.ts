import { expect, it } from "vitest";
import { runFleet } from "./run-fleet.ts";

it("C-01 prints one JSON document with --json", async () => {
  const { stdout } = await runFleet(["list", "--json"]);
  expect(stdout).toBe('{"agents":[{"name":"k3f"},{"name":"m8x"}]}\n');
});

it("C-01 answers a failure as one JSON object on stdout with --json", async () => {
  const { stdout, exitCode } = await runFleet(["fail", "refused", "--json"]);
  expect(exitCode).toBe(5);
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    outcome: "refused",
    exit_code: 5,
    code: "not-yours",
    error: "The agent \u001b[31mk3f is not yours. Ask its owner.",
    details: { owner: "a" },
  });
});

it("C-02 shows what a pane said below the sentence, line by line and escaped", async () => {
  expect(await runFleet(["fail", "died"])).toEqual({
    stdout: "",
    stderr: "fleet: The agent ended. Start it again.\n  | no such\\u{1b}[2J model\n  | bye\n",
    exitCode: 4,
  });
});

it("C-01 reports words it cannot read as JSON too", async () => {
  const { stdout, exitCode } = await runFleet(["wait", "--json"]);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, outcome: "usage", code: "missing-argument" });
});

it("C-01 lets a verb that owns stdout print as it goes", async () => {
  expect(await runFleet(["monitor"])).toEqual({ stdout: "> NAME\n> k3f\n> m8x\n", stderr: "", exitCode: 0 });
});

it("exits with the code an answer asks for", async () => {
  expect(await runFleet(["audit", "verify"])).toEqual({
    stdout: "Line 3 was changed\n",
    stderr: "",
    exitCode: 1,
  });
});

it("C-02 keeps the line breaks of a text and escapes the rest", async () => {
  const { stdout } = await runFleet(["echo"], "one\n\ttwo\u0007\r\n");
  expect(stdout).toBe("one\n\ttwo\\u{7}\\r\n");
});

it("C-03 without a verb prints the help on stdout and exits 2", async () => {
  const { stdout, stderr, exitCode } = await runFleet([]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 2 });
  expect(stdout).toMatch(/^fleet - Run agents\n\nUsage: fleet VERB/);
  expect(stdout).toContain("\n  audit verify  Check the audit log\n");
  expect(stdout).not.toMatch(/secret|__complete/);
});

it.each([["--help"], ["-h"], ["help"]])("C-03 prints the help of the program for %s", async (...words) => {
  expect(await runFleet(words)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Verbs:") });
});

it.each([[["wait", "--help"]], [["help", "wait"]], [["wait", "k3f", "--untl", "-h"]]])(
  "C-03 explains a verb with an example for %j",
  async (words) => {
    const { stdout, exitCode } = await runFleet(words);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Usage: fleet wait ID [flags]");
    expect(stdout).toContain("--until idle|exited    What to wait for (default idle)");
    expect(stdout).toContain("-t, --timeout SECONDS  How long (-5 to 600, default 60)");
    expect(stdout).toContain("Example:\n  fleet wait k3f --until idle\n");
  },
);

it("C-03 offers no --json for a verb that owns stdout", async () => {
  expect((await runFleet(["monitor", "--help"])).stdout).not.toContain("--json");
});

it("C-03 lists the verbs of a group", async () => {
  const { stdout } = await runFleet(["audit", "--help"]);
  expect(stdout).toContain("audit verify");
  expect(stdout).not.toContain("list");
});

it.each([
  [["lst"], 'no verb "lst"', 'Did you mean "fleet list"'],
  [["audit", "verfiy"], 'no verb "audit verfiy"', 'Did you mean "fleet audit verify"'],
  [["audit"], '"audit" needs a second word', '"fleet audit verify" or "fleet audit show"'],
  [["wait", "a", "--utnil", "x"], "no flag --utnil", "Did you mean --until"],
  [["wait", "a", "--until", "idel"], '--until cannot be "idel"', "Did you mean idle"],
  [["--json", "list"], '"--json" comes before the verb', "Put flags after the verb"],
  [["completion", "zhs"], 'SHELL cannot be "zhs"', "Did you mean zsh"],
  [["xyzzy"], 'no verb "xyzzy"', '"fleet --help" lists the verbs'],
])("C-03 says what is wrong with %j and the nearest", async (words, wrong, next) => {
  const { stderr, exitCode } = await runFleet(words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(wrong);
  expect(stderr).toContain(next);
});

it("refuses more standard input than a verb takes", async () => {
  const { stderr, exitCode } = await runFleet(["echo"], "x".repeat(1001));
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Standard input is larger than 1000 bytes");
});
