import { renderFailure } from "@agent-control/base";
import { expect, it } from "vitest";
import { findProfile, parseTongsConfig } from "../src/index.ts";
import { failureOf } from "./refused.ts";

const path = "/home/me/.config/tongs-agents/config.toml";
const parse = (text: string) => parseTongsConfig(Buffer.from(text), path);
const messageFor = async (text: string) => (await failureOf(parse(text))).message;
const inProfile = (line: string) => `[profiles.a]\ncommand = ["x"]\n${line}`;

it("T-02 gives every default for a file with nothing in it", async () => {
  const defaults = {
    control: {
      mcpEnabled: false,
      mcpAnyTarget: false,
      mcpNestedSpawn: false,
      mcpRatePerMinute: 6,
      mcpMaxAgents: 20,
      mcpExtraTools: false,
    },
    workspace: { multiplexer: "auto", session: "agents", socket: "", panes: ["lead"], sidebarWidth: 34 },
  };
  for (const text of ["", "# nothing\n", "[control]\n[workspace]\n[profiles]\n"]) {
    const config = await parse(text);
    expect(config).toMatchObject(defaults);
    expect(Object.keys(config.profiles)).toEqual([]);
  }
});

it("T-02 gives a profile its defaults", async () => {
  const config = await parse('[profiles.lead]\ncommand = ["claude", ""]');
  expect(findProfile(config, "lead")).toEqual({
    name: "lead",
    command: ["claude", ""],
    harness: "auto",
    cwd: ".",
    env: {},
    mcpControl: false,
    mcpAnswerDialogs: false,
    mcpSendWhileWorking: "allow",
  });
});

it("reads every key", async () => {
  const config = await parse(`
    [control]
    mcp_enabled = true
    mcp_any_target = true
    mcp_nested_spawn = true
    mcp_rate_per_minute = 60
    mcp_max_agents = 200
    mcp_extra_tools = true
    [workspace]
    multiplexer = "zellij"
    session = "my agents"
    socket = "/tmp/a b/s"
    panes = ["w.1"]
    sidebar_width = 10
    [profiles."w.1"]
    command = ["/opt/my agent", "--x", "a=b"]
    harness = "codex"
    cwd = "~/work"
    env = { A_1 = "", _b = "x=y\\nz" }
    mcp_control = true
    mcp_answer_dialogs = true
    mcp_send_while_working = "refuse"`);
  expect(config.control).toEqual({
    mcpEnabled: true,
    mcpAnyTarget: true,
    mcpNestedSpawn: true,
    mcpRatePerMinute: 60,
    mcpMaxAgents: 200,
    mcpExtraTools: true,
  });
  expect(config.workspace).toEqual({
    multiplexer: "zellij",
    session: "my agents",
    socket: "/tmp/a b/s",
    panes: ["w.1"],
    sidebarWidth: 10,
  });
  expect(findProfile(config, "w.1")).toEqual({
    name: "w.1",
    command: ["/opt/my agent", "--x", "a=b"],
    harness: "codex",
    cwd: "~/work",
    env: { A_1: "", _b: "x=y\nz" },
    mcpControl: true,
    mcpAnswerDialogs: true,
    mcpSendWhileWorking: "refuse",
  });
});

it.each([
  ["mcp_rate_per_minute = 0", "not 0"],
  ["mcp_rate_per_minute = 61", "not 61"],
  ["mcp_rate_per_minute = -1", "not -1"],
  ["mcp_rate_per_minute = 6.5", "not a number with a fraction or exponent"],
  ["mcp_rate_per_minute = 6.0", "not a number with a fraction or exponent"],
  ["mcp_rate_per_minute = 1e1", "not a number with a fraction or exponent"],
  ["mcp_rate_per_minute = nan", "not a number with a fraction or exponent"],
  ['mcp_rate_per_minute = "6"', "not text"],
  ["mcp_rate_per_minute = 999999999999999999999999", "not a number this large"],
])("T-03 refuses [control] %s", async (line, seen) => {
  expect(await messageFor(`[control]\n${line}`)).toBe(
    `config.toml:2:23: control.mcp_rate_per_minute must be a whole number from 1 to 60, ${seen}`,
  );
});

it.each([
  ["[control]\nmcp_enabled = 1", "2:15: control.mcp_enabled must be true or false, not a whole number"],
  [
    "[control]\nmcp_max_agents = 201",
    "2:18: control.mcp_max_agents must be a whole number from 1 to 200, not 201",
  ],
  ["control = true", "1:11: control must be a table, not true"],
  ["[[control]]", "1:3: control must be a table, not a list"],
  ["profiles = []", "1:12: profiles must be a table, not a list"],
  ["[profiles]\na = 1979-05-27", "2:5: profiles.a must be a table, not a date or time"],
  [
    "[workspace]\nsidebar_width = 9",
    "2:17: workspace.sidebar_width must be a whole number from 10 to 200, not 9",
  ],
  ["[workspace]\nsession = ''", "2:11: workspace.session must not be empty"],
  ['[workspace]\nsession = "a\\u001b"', "2:11: workspace.session must not contain control characters"],
  ["[workspace]\nsocket = 'a/b'", "2:10: workspace.socket must be a name or an absolute path"],
  ["[workspace]\nsocket = '-f'", '2:10: workspace.socket must not start with "-"'],
  ["[workspace]\npanes = 'lead'", "2:9: workspace.panes must be a list, not text"],
  [
    "[workspace]\nmultiplexer = 'tmus'",
    '2:15: workspace.multiplexer must be "auto" or "tmux" or "zellij", not "tmus" (did you mean "tmux"?)',
  ],
  [
    "[profiles.a]\nharness = 'none'",
    '1:11: profiles.a.command is missing: a profile needs a list such as ["claude"]',
  ],
  ["[profiles.a]\ncommand = 'claude'", "2:11: profiles.a.command must be a list, not text"],
  ["[profiles.a]\ncommand = []", "2:11: profiles.a.command must name a program, not be empty"],
  ["[profiles.a]\ncommand = ['']", "2:12: profiles.a.command[0] must name a program, not be empty"],
  ["[profiles.a]\ncommand = ['x', 1]", "2:17: profiles.a.command[1] must be text, not a whole number"],
  ['[profiles.a]\ncommand = ["x", "a\\u0000"]', "2:17: profiles.a.command[1] must not contain NUL"],
  [
    "[profiles.a]\ncommand = ['A=b', 'x']",
    '2:12: profiles.a.command[0] must not contain "=": env would read it as a variable, not a program',
  ],
  [inProfile("cwd = ''"), "3:7: profiles.a.cwd must not be empty"],
  [
    inProfile("mcp_send_while_working = true"),
    '3:26: profiles.a.mcp_send_while_working must be "allow" or "refuse", not true',
  ],
  [inProfile("env = { TOKEN = 12345 }"), "3:17: profiles.a.env.TOKEN must be text, not a whole number"],
  [inProfile('env = { A = "\\u0000" }'), "3:13: profiles.a.env.A must not contain NUL"],
  [
    inProfile("env = { 'A-B' = 'x' }"),
    "3:9: profiles.a.env.A-B must be a variable name: letters, digits and underscores, the first no digit",
  ],
  [
    inProfile("env = { TONGS_AGENTS_LAUNCH_ID = 'x' }"),
    "3:9: profiles.a.env.TONGS_AGENTS_LAUNCH_ID must not start with TONGS_AGENTS_: tongs-agents sets those variables itself",
  ],
])("T-03 refuses %j", async (text, message) => {
  expect(await messageFor(text)).toBe(`config.toml:${message}`);
});

it.each(["-a", ".a", "a b", "ä", "a/b", "a:b", "#(id)", "a\\nb", "", "a".repeat(65)])(
  'T-03 refuses the profile name "%s"',
  async (name) => {
    expect(await messageFor(`[profiles."${name}"]\ncommand = ["x"]`)).toMatch(
      /^config\.toml:1:11: profiles\..* must be a profile name: /,
    );
  },
);

it.each(["a", "0", "A.b_c-d", "a".repeat(64)])("T-03 accepts the profile name %s", async (name) => {
  expect(findProfile(await parse(`[profiles."${name}"]\ncommand = ["x"]`), name)?.name).toBe(name);
});

it("T-03 C-10 suggests the key that a near miss meant, and lists the keys", async () => {
  const failure = await failureOf(parse("[control]\nmcp_enable = true"));
  expect(renderFailure(failure)).toBe(
    "config.toml:2:1: control.mcp_enable is not a known key; did you mean mcp_enabled? " +
      "In control the keys are mcp_enabled, mcp_any_target, mcp_nested_spawn, mcp_rate_per_minute, " +
      `mcp_max_agents, mcp_extra_tools; correct ${path} and try again.`,
  );
});

it("C-10 lists the keys for a key like no other, at the top too", async () => {
  const failure = await failureOf(parse("zzzzzz = 1"));
  expect(renderFailure(failure)).toBe(
    "config.toml:1:1: zzzzzz is not a known key. " +
      `At the top the keys are control, workspace, profiles; correct ${path} and try again.`,
  );
});

it("C-10 tells the first mistake of the file, counts the others and lists all for programs", async () => {
  const failure = await failureOf(parse("[workspace]\nsession = 1\nwat = 2\n[control]\nmcp_enabled = 3"));
  expect(failure.message).toBe("config.toml:2:11: workspace.session must be text, not a whole number");
  expect(failure.next).toBe(`Put it in quotes; correct ${path} (2 more problems in it) and try again`);
  expect(failure.details).toMatchObject({
    path,
    problems: [
      { line: 2, column: 11 },
      { line: 3, column: 1 },
      { line: 5, column: 15 },
    ],
  });
});

it("C-10 escapes and shortens what a hostile key would print", async () => {
  const message = await messageFor(`"\\u001b]0;x\\u0007${"k".repeat(10_000)}" = 1`);
  expect(message).toMatch(/^config\.toml:1:1: "\\u\{1b\}\]0;x\\u\{7\}k+…" is not a known key$/);
  expect(message.length).toBeLessThan(150);
});

it("T-03 refuses a pane whose profile does not exist, but not the default pane without profiles", async () => {
  expect(
    await messageFor(
      '[workspace]\npanes = ["a", "wroker"]\n[profiles.a]\ncommand = ["x"]\n[profiles.worker]\ncommand = ["y"]',
    ),
  ).toBe(
    'config.toml:2:15: workspace.panes[1] names a profile that does not exist, "wroker"; did you mean "worker"?',
  );
  expect(await messageFor('[workspace]\npanes = ["lead"]')).toContain("names a profile that does not exist");
  expect((await parse("[workspace]\npanes = []")).workspace.panes).toEqual([]);
});

it("keeps profiles named like parts of every object apart from those parts", async () => {
  const none = await parse("");
  const some = await parse(
    '[profiles.constructor]\ncommand = ["x"]\n[profiles.hasOwnProperty]\ncommand = ["y"]\nenv = { __proto__ = "z" }',
  );
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    expect(findProfile(none, name)).toBeUndefined();
    expect(none.profiles[name]).toBeUndefined();
  }
  expect(findProfile(some, "constructor")?.command).toEqual(["x"]);
  expect(Object.entries(findProfile(some, "hasOwnProperty")?.env ?? {})).toEqual([["__proto__", "z"]]);
  expect(await messageFor("[workspace]\npanes = ['constructor']")).toContain("does not exist");
});

it("T-03 refuses a profile or key called __proto__ like any other wrong name", async () => {
  expect(await messageFor('[profiles.__proto__]\ncommand = ["x"]')).toContain("must be a profile name");
  expect(await messageFor("__proto__ = { control = 1 }")).toContain("__proto__ is not a known key");
  expect(await messageFor("[control]\nconstructor = 1")).toContain("control.constructor is not a known key");
});

it("stays quick with a file of nothing but mistakes", async () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `key${index} = 1`);
  const failure = await failureOf(parse(lines.join("\n")));
  expect(failure.message).toContain("config.toml:1:1: key0 is not a known key");
});
