import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { onTerminal, type PersonTerminal } from "../shared/terminal.ts";
import { until } from "../shared/until.ts";
import { type AgentName, agentIt, createAgentsPlace } from "./agents-place.ts";
import { createWorld, incusIt, type Place, program } from "./world.ts";

let place: Place;
afterEach(() => place.close());

function createPlace(agents: readonly AgentName[] = []): void {
  place = createAgentsPlace(agents);
  const tools = join(place.configDirectory, "tools");
  mkdirSync(tools);
  writeFileSync(join(tools, "claude.yaml"), "name: claude\nagent: {name: claude, delegate: true}\n");
  writeFileSync(join(tools, "gemini.yaml"), "name: gemini\nagent: {name: gemini, delegate: false}\n");
  place.writeTemplate("tpl-agent", "name: tpl-agent\nparent: tpl-minimal\ntools: [claude]\n");
  place.writeTemplate("tpl-plain", "name: tpl-plain\nparent: tpl-minimal\n");
  place.writeTemplate("tpl-child", "name: tpl-child\nparent: tpl-agent\n");
  place.writeTemplate("tpl-gemini", "name: tpl-gemini\nparent: tpl-minimal\ntools: [gemini]\n");
}

const setup = () => onTerminal([process.execPath, program, "mcp", "setup"], place.env);
const mcpYaml = () => readFileSync(place.mcpFile, "utf8");

/** Answers each question when it is asked; the exit code and what was shown. */
async function answer(terminal: PersonTerminal, answers: readonly (readonly [string, string])[]) {
  let seen = 0;
  for (const [question, reply] of answers) {
    await until(() => terminal.output().indexOf(question, seen) >= 0, 10_000, question);
    seen = terminal.output().indexOf(question, seen) + question.length;
    terminal.type(reply);
  }
  return { code: await terminal.exitCode, shown: terminal.output() };
}

const first = "Let agents on this host use isx? [y/N] ";
const may = (template: string, otherwise: "y" | "n") =>
  [`May agents use ${template} (`, `)? ${otherwise === "y" ? "[Y/n]" : "[y/N]"} `] as const;

it.each(["\n", "n\n", "N\n", "\u0004"])(
  "X-10 writes nothing for the answer %j to the first question",
  async (reply) => {
    createPlace(["claude"]);
    const { code, shown } = await answer(setup(), [[first, reply]]);
    expect(code).toBe(0);
    expect(shown).toContain("nothing was changed");
    expect(shown).not.toContain("May agents use");
    expect(existsSync(place.mcpFile)).toBe(false);
    expect(existsSync(join(place.env["HOME"] ?? "", ".claude.json"))).toBe(false);
  },
);

it("X-10 asks for each template with an agent, marks what cannot take tasks, and approves the chosen", async () => {
  createPlace();
  const { code, shown } = await answer(setup(), [
    [first, "y\n"],
    [may("tpl-agent", "n")[0], "\n"],
    [may("tpl-child", "n")[0], "what\n"],
    [may("tpl-child", "n")[0], "yes\n"],
    [may("tpl-gemini", "n")[0], "y\n"],
  ]);
  expect(code).toBe(0);
  expect(shown).toContain("tpl-gemini (gemini: create and exec only)? [y/N]");
  expect(shown).not.toMatch(/May agents use (?:tpl-plain|tpl-minimal|tpl-dev)/);
  expect(shown).toContain("Claude Code is not on PATH");
  expect(mcpYaml()).toBe("templates: [tpl-child, tpl-gemini]\n");
  expect(statSync(place.mcpFile).mode & 0o777).toBe(0o600);
});

it("X-10 writes nothing when the person goes away, or interrupts, before the last answer", async () => {
  createPlace();
  const gone = await answer(setup(), [
    [first, "y\n"],
    [may("tpl-agent", "n")[0], "y\n"],
    [may("tpl-child", "n")[0], "\u0004"],
  ]);
  expect(gone).toMatchObject({ code: 0, shown: expect.stringContaining("nothing was changed") });
  const interrupted = await answer(setup(), [
    [first, "y\n"],
    [may("tpl-agent", "n")[0], "\u0003"],
  ]);
  expect(interrupted.code).toBe(130);
  expect(existsSync(place.mcpFile)).toBe(false);
});

const written = `# What agents may do here
max-instances: 3 # few

templates:
  # for work
  - tpl-agent   # the usual one
  - tpl-plain   # by hand
host-tools:
  x: {command: 'true', description: "y"}
`;

it("X-10 asks one question when it is set up, and keeps everything for Enter", async () => {
  createPlace();
  place.writeMcp(written);
  const { code, shown } = await answer(setup(), [["Enter to keep everything: ", "\n"]]);
  expect(code).toBe(0);
  expect(shown).toContain(
    "Agents may use tpl-agent, tpl-plain. t to change that, n to see how to turn it off",
  );
  expect(shown).not.toContain("[y/N]");
  expect(mcpYaml()).toBe(written);
});

it("X-10 says how to turn it off for n, and changes nothing", async () => {
  createPlace();
  place.writeMcp(written);
  const { shown } = await answer(setup(), [["Enter to keep everything: ", "n\n"]]);
  expect(shown).toContain("write templates: [] in");
  expect(shown).toContain("claude mcp remove --scope user isx");
  expect(mcpYaml()).toBe(written);
});

it("X-10 changes templates for t: approved ones are kept by Enter, hand-approved ones and comments stay", async () => {
  createPlace();
  place.writeMcp(written);
  chmodSync(place.mcpFile, 0o640);
  const { code } = await answer(setup(), [
    ["Enter to keep everything: ", "t\n"],
    [may("tpl-agent", "y")[0], "\n"],
    [may("tpl-child", "n")[0], "y\n"],
    [may("tpl-gemini", "n")[0], "\n"],
  ]);
  expect(code).toBe(0);
  const line = "  - tpl-plain   # by hand\n";
  expect(mcpYaml()).toBe(written.replace(line, `${line}  - tpl-child\n`));
  expect(statSync(place.mcpFile).mode & 0o777).toBe(0o640);
});

it("X-10 withdraws what is answered with n, and leaves the file unusable for nobody", async () => {
  createPlace();
  place.writeMcp("templates: [tpl-agent] # mine\n");
  await answer(setup(), [
    ["Enter to keep everything: ", "t\n"],
    [may("tpl-agent", "y")[0], "n\n"],
    [may("tpl-child", "n")[0], "n\n"],
    [may("tpl-gemini", "n")[0], "n\n"],
  ]);
  expect(mcpYaml()).toBe("templates: [] # mine\n");
});

it.each([
  ["templates: no\n", "mcp.yaml:1:12: templates must be a list, not text"],
  ["max-instances: -1\n", "mcp.yaml:1:16: max-instances must be a whole number"],
  ["a: [\n", "mcp.yaml:2:1: the file is not YAML here"],
])("X-10 X-08 never overwrites the unusable mcp.yaml %j, and says what is wrong", async (text, says) => {
  createPlace();
  place.writeMcp(text);
  const { code, shown } = await answer(setup(), []);
  expect(code).toBe(5);
  expect(shown).toContain(says);
  expect(mcpYaml()).toBe(text);
});

it("X-09 skips the questions while config.yaml has the old section, and only reminds once mcp.yaml exists", async () => {
  createPlace();
  place.writeConfig("mcp:\n  max-instances: 2\n");
  const skipped = await answer(setup(), []);
  expect(skipped.code).toBe(5);
  expect(skipped.shown).toContain("mcp.yaml");
  expect(existsSync(place.mcpFile)).toBe(false);
  place.writeMcp("templates: [tpl-agent]\ndelegate-max-turns: 3\n");
  const { code, shown } = await answer(setup(), [["Enter to keep everything: ", "\n"]]);
  expect(code).toBe(0);
  expect(shown).toContain("config.yaml has an mcp: section, which has no effect; delete it.");
  expect(shown).toContain("mcp.yaml has keys without effect: delegate-max-turns; delete them.");
});

it("X-10 needs a terminal, so that an agent cannot approve a template", async () => {
  createPlace();
  const ran = await place.cli(["mcp", "setup"], { input: "y\ny\ny\ny\n" });
  expect(ran).toMatchObject({ code: 5, stdout: "" });
  expect(ran.stderr).toContain("Run isx mcp setup yourself in a terminal; an agent cannot do it for you.");
  expect(existsSync(place.mcpFile)).toBe(false);
});

agentIt("claude")(
  "X-10 registers with the real Claude Code for all projects once templates are approved",
  async () => {
    createPlace(["claude"]);
    const { code, shown } = await answer(setup(), [
      [first, "y\n"],
      [may("tpl-agent", "n")[0], "y\n"],
      [may("tpl-child", "n")[0], "\n"],
      [may("tpl-gemini", "n")[0], "\n"],
    ]);
    expect(shown).toContain("Claude Code has the server isx for all projects");
    expect(code).toBe(0);
    const settings = JSON.parse(readFileSync(join(place.env["HOME"] ?? "", ".claude.json"), "utf8"));
    expect(settings.mcpServers.isx).toMatchObject({ command: process.execPath, args: [program, "mcp"] });
  },
);

incusIt(
  "X-02 X-10 init takes the same step on a terminal, and says elsewhere that it was not taken",
  async () => {
    place = await createWorld();
    const piped = await place.cli(["init"], { input: "y\n" });
    expect(piped.code).toBe(0);
    expect(piped.stdout).toContain("that step needs a terminal. Run isx mcp setup in one.");
    const init = () => onTerminal([process.execPath, program, "init"], place.env);
    expect(await answer(init(), [[first, "n\n"]])).toMatchObject({ code: 0 });
    expect(existsSync(place.mcpFile)).toBe(false);
    place.writeMcp("templates: no\n");
    const skipped = await answer(init(), []);
    expect(skipped).toMatchObject({
      code: 0,
      shown: expect.stringContaining("The step for agents was skipped."),
    });
  },
);
