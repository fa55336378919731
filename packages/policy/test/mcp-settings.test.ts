import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderFailure } from "@agent-control/base";
import { createFiles, createRandom } from "@agent-control/system";
import { afterAll, expect, it } from "vitest";
import { createConfigReader, parseMcpSettings } from "../src/index.ts";
import { failureOf, lineOf } from "./refused.ts";

const path = "/home/me/.config/incus-spawn/mcp.yaml";
const builtIn = ["exec", "list_templates"];
const parse = (content: string | Uint8Array) => parseMcpSettings(Buffer.from(content), path, builtIn);
const messageFor = async (content: string | Uint8Array) => (await failureOf(parse(content))).message;
const inTool = (lines: string) => `host-tools:\n  x:\n    command: a\n    description: b\n    ${lines}`;

const root = mkdtempSync(join(tmpdir(), 'it\'s "$HOME" ü '));
afterAll(() => rmSync(root, { recursive: true }));

const defaults = {
  templates: [],
  maxInstances: 8,
  maxConcurrentTasks: 8,
  orphanGraceHours: 24,
  dormantAfterHours: 24,
  dormantGraceHours: 168,
  summaryModel: "haiku",
  hostTools: [],
  obsolete: [],
};

it("X-23 X-08 gives every default, and approves nothing, for a file with nothing in it", async () => {
  for (const text of ["", "# nothing\n", "---\n", "{}", "\ufeff"])
    expect(await parse(text)).toEqual(defaults);
});

it("X-23 reads the page's example", async () => {
  const text = `
templates: [tpl-java, tpl-dev]
max-instances: 8
host-tools:
  instance-inventory:
    command: ~/scripts/instance-inventory.sh
    description: Read-only inventory of stopped isx instances
    timeout: 300
    min-interval: 10
`;
  expect(await parse(text)).toEqual({
    ...defaults,
    templates: ["tpl-java", "tpl-dev"],
    hostTools: [
      {
        name: "instance-inventory",
        command: "~/scripts/instance-inventory.sh",
        description: "Read-only inventory of stopped isx instances",
        timeout: 300,
        minInterval: 10,
      },
    ],
  });
});

it("X-23 reads every key, accepts 0 everywhere, and fills in a host tool's defaults", async () => {
  const text = [
    "\ufefftemplates:\r\n  - tpl-a\r\n",
    "max-instances: 0\r\nmax-concurrent-tasks: 0\r\norphan-grace-hours: 0\r\n",
    "dormant-after-hours: 0\r\ndormant-grace-hours: 0\r\nsummary-model: anthropic/claude-sonnet-4-5\r\n",
    "host-tools:\r\n  b: {command: x, description: y, timeout: 0, min-interval: 0}\r\n",
    "  a_1-z: {command: x, description: y}\r\n",
  ].join("");
  expect(await parse(text)).toEqual({
    templates: ["tpl-a"],
    maxInstances: 0,
    maxConcurrentTasks: 0,
    orphanGraceHours: 0,
    dormantAfterHours: 0,
    dormantGraceHours: 0,
    summaryModel: "anthropic/claude-sonnet-4-5",
    hostTools: [
      { name: "b", command: "x", description: "y", timeout: 0, minInterval: 0 },
      { name: "a_1-z", command: "x", description: "y", timeout: 60, minInterval: 10 },
    ],
    obsolete: [],
  });
});

it.each([
  ["templates: no", "1:12: templates must be a list, not text"],
  ["templates:", "1:11: templates must be a list, not empty"],
  ["templates: true", "1:12: templates must be a list, not true"],
  ["templates: {a: b}", "1:12: templates must be a list, not a map"],
  ["templates: [on, 1.5]", "1:17: templates[1] must be text, not a number with a fraction or exponent"],
  ["templates: [012]", "1:13: templates[0] must be text, not a whole number"],
  ["templates: [null]", "1:13: templates[0] must be text, not empty"],
  ["templates: ['']", "1:13: templates[0] must not be empty"],
  ["templates:\n- a\n- b\n- a", '4:3: templates[2] is in the list twice: "a"'],
  ["templates: [a]\ntemplates: [b]", '2:1: the file has the key "templates" twice (first in line 1)'],
  ["max-instances: -1", "1:16: max-instances must be a whole number from 0 to 1000000, not -1"],
  [
    "max-instances: 1.5",
    "1:16: max-instances must be a whole number from 0 to 1000000, not a number with a fraction or exponent",
  ],
  [
    "max-instances: 8.0",
    "1:16: max-instances must be a whole number from 0 to 1000000, not a number with a fraction or exponent",
  ],
  ['max-instances: "8"', "1:16: max-instances must be a whole number from 0 to 1000000, not text"],
  ["max-instances: 1000001", "1:16: max-instances must be a whole number from 0 to 1000000, not 1000001"],
  [
    "max-instances: .nan",
    "1:16: max-instances must be a whole number from 0 to 1000000, not a number with a fraction or exponent",
  ],
  ["orphan-grace-hours: -24", "1:21: orphan-grace-hours must be a whole number from 0 to 1000000, not -24"],
  ["summary-model: 4", "1:16: summary-model must be text, not a whole number"],
  ["summary-model: --evil", "1:16: summary-model must be a model name: "],
  ["summary-model: ''", "1:16: summary-model must be a model name: "],
  ["host-tools: [a]", "1:13: host-tools must be a map, not a list"],
  ["host-tools:\n  x:", "2:5: host-tools.x must be a map, not empty"],
  ["host-tools:\n  x: {description: y}", "2:3: host-tools.x.command is missing"],
  ["host-tools:\n  x: {command: y}", "2:3: host-tools.x.description is missing"],
  ["host-tools:\n  x: {command: ' ', description: y}", "2:16: host-tools.x.command must not be empty"],
  ['host-tools:\n  x: {command: "a\\0", description: y}', "2:16: host-tools.x.command must not contain NUL"],
  ["host-tools:\n  x: {command: a, description: ''}", "2:32: host-tools.x.description must not be empty"],
  ["host-tools:\n  x: {command: [a], description: y}", "2:16: host-tools.x.command must be text, not a list"],
  [inTool("timeout: 601"), "5:14: host-tools.x.timeout must be a whole number from 0 to 600, not 601"],
  [inTool("timeout: -1"), "5:14: host-tools.x.timeout must be a whole number from 0 to 600, not -1"],
  [
    inTool("min-interval: '5'"),
    "5:19: host-tools.x.min-interval must be a whole number from 0 to 1000000, not text",
  ],
  [inTool("timeouts: 5"), "5:5: host-tools.x.timeouts is not a known key; did you mean timeout?"],
  ["- templates", "1:1: the file must be a map, not a list"],
  ["templates", "1:1: the file must be a map, not text"],
  ["max_instances: 8", "1:1: max_instances is not a known key; did you mean max-instances?"],
  ["templates: [a\n", "2:1: the file is not YAML here: "],
  [
    "max-instances: 8\n\ttemplates: [a]",
    "2:1: the file is not YAML here: lines are indented with spaces, not with tabs",
  ],
  ["base: &b {x: 1}\nhost-tools:\n  <<: *b", "3:3: the file has a merge key (<<), which is not read"],
  ["templates: [a]\n---\ntemplates: [b]", "2:1: the file has a second document; only one is read"],
])("X-08 X-23 refuses %j", async (text, says) => {
  expect(await messageFor(text)).toContain(`mcp.yaml:${says}`);
});

it("X-08 keeps names text that other YAML readers take for booleans or dates", async () => {
  const { templates } = await parse("templates: [no, on, y, off, 2026-01-01]");
  expect(templates).toEqual(["no", "on", "y", "off", "2026-01-01"]);
});

it("X-08 takes anchors and aliases for what they stand for", async () => {
  const text = "host-tools:\n  a: &t {command: x, description: y}\n  b: *t";
  expect((await parse(text)).hostTools.map((tool) => [tool.name, tool.command])).toEqual([
    ["a", "x"],
    ["b", "x"],
  ]);
});

it.each(["A", "-a", "_a", "a b", "ä", "a/b", "a.b", "", "a".repeat(41), "constructor!", "exec"])(
  'X-08 refuses the host tool name "%s"',
  async (name) => {
    const message = await messageFor(`host-tools:\n  "${name}": {command: x, description: y}`);
    expect(message).toMatch(
      /^mcp\.yaml:2:3: host-tools\..* (?:must be a tool name: |is the name of a tool of isx)/,
    );
  },
);

it.each(["a", "0", "8080", "no", "null", "constructor", "a".repeat(40)])(
  "X-08 accepts the host tool name %s",
  async (name) => {
    const { hostTools } = await parse(`host-tools:\n  ${name}: {command: x, description: y}`);
    expect(hostTools.map((tool) => tool.name)).toEqual([name]);
  },
);

it("X-08 C-10 tells the file, the line, what is accepted and what to do in one line", async () => {
  expect(await lineOf(parse("templates: [tpl-a]\nmax-instanses: 3\n"))).toBe(
    "mcp.yaml:2:1: max-instanses is not a known key; did you mean max-instances? At the top the keys are " +
      "templates, max-instances, max-concurrent-tasks, orphan-grace-hours, dormant-after-hours, " +
      `dormant-grace-hours, summary-model, host-tools; correct ${path} and try again.`,
  );
});

it("X-09 loads obsolete keys, whatever they hold, without effect and names them", async () => {
  const text = [
    "delegate-max-turns: -5",
    "delegate-permission-mode: [what, ever]",
    "delegate-permission-modes:",
    "codex:\n  sandbox-mode: x\n  sandbox-modes: [1.5]",
  ].join("\n");
  const obsolete = ["delegate-max-turns", "delegate-permission-mode", "delegate-permission-modes", "codex"];
  expect(await parse(text)).toEqual({ ...defaults, obsolete });
});

it("X-09 suggests no obsolete key, and knows what an obsolete section held", async () => {
  expect(await messageFor("delegate-max-turn: 1")).toBe("mcp.yaml:1:1: delegate-max-turn is not a known key");
  expect(await messageFor("codex: {sandbox: 1}")).toContain("1:9: codex.sandbox is not a known key");
  expect(await messageFor("codex: 1")).toContain("1:8: codex must be a map, not a whole number");
});

function onDisk(name: string) {
  const path = join(root, name);
  const files = createFiles({ random: createRandom() });
  const parse = (bytes: Uint8Array, from: string) => parseMcpSettings(bytes, from, builtIn);
  return { path, reader: createConfigReader({ files, path, parse }) };
}

it("X-08 is refused while the file is a directory or a FIFO, and works again after, with no restart", async () => {
  const { path, reader } = onDisk("mcp.yaml");
  expect(await reader.read()).toEqual(defaults);
  mkdirSync(path);
  expect(renderFailure(await failureOf(reader.read()))).toContain("mcp.yaml cannot be read: ");
  rmSync(path, { recursive: true });
  execFileSync("mkfifo", [path]);
  expect(await failureOf(reader.read())).toMatchObject({ outcome: "refused", code: "config-invalid" });
  rmSync(path);
  writeFileSync(path, "templates: [tpl-a]");
  expect((await reader.read()).templates).toEqual(["tpl-a"]);
  writeFileSync(path, "templates: [tpl-b]");
  expect((await reader.read()).templates).toEqual(["tpl-b"]);
  writeFileSync(path, "templates: [tpl-b");
  expect((await failureOf(reader.read())).message).toContain("mcp.yaml:1:18: the file is not YAML here");
});

it("X-08 is refused while the file has mode 000, for a user whom that keeps out", async () => {
  const { path, reader } = onDisk("closed.yaml");
  writeFileSync(path, "templates: [tpl-a]");
  chmodSync(path, 0o000);
  await asOrdinaryUser(async () => {
    expect(await failureOf(reader.read())).toMatchObject({ outcome: "refused", code: "config-invalid" });
    expect((await failureOf(reader.read())).message).toContain("closed.yaml cannot be read: ");
  });
  chmodSync(path, 0o644);
  expect((await reader.read()).templates).toEqual(["tpl-a"]);
});

async function asOrdinaryUser(body: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return body();
  chmodSync(root, 0o755);
  process.seteuid?.(65_534);
  try {
    await body();
  } finally {
    process.seteuid?.(0);
  }
}
