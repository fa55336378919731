import fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { expect, it } from "vitest";
import { codexServer } from "../src/codex-server.ts";
import { applyEdits, tongsServer } from "../src/setup.ts";

const program = ["/opt/node 20/bin/node", '/home/"quoted"\u007f/tongs-agents'];
const file = codexServer("config.toml", { server: tongsServer({ program }), approve: false });
const approving = codexServer("config.toml", { server: tongsServer({ program }), approve: true });
const added = (text: string, by = file) => applyEdits(text, by.add(text)).text;
const removed = (text: string) => applyEdits(text, file.remove(text)).text;

const keys = fc.constantFrom("model", "notify", "a b", "mcp_servers", "hooks", "ключ");
const leaf = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean());
const table = fc.dictionary(
  keys,
  fc.oneof(leaf, fc.dictionary(keys, leaf, { maxKeys: 3, noNullPrototype: true })),
  { maxKeys: 4, noNullPrototype: true },
);
const configs = fc
  .tuple(table, fc.constantFrom("", "\n", "\n\n# the end\n", "\n# the end"), fc.constantFrom("\n", "\r\n"))
  .filter(([value]) => typeof value["mcp_servers"] === "object" || !("mcp_servers" in value))
  .map(([value, tail, eol]) => `# mine\n${stringify(value).trimEnd()}${tail}`.replaceAll("\n", eol));

it("T-29 appends one block to any TOML file, once, and undoes it to the byte", () => {
  fc.assert(
    fc.property(configs, (text) => {
      const { text: after, undo } = applyEdits(text, file.add(text));
      expect(after.startsWith(text)).toBe(true);
      expect(serverIn(after)).toMatchObject({ command: program[0], args: [program[1], "mcp"] });
      expect(file.add(after)).toEqual([]);
      expect(applyEdits(after, undo).text).toBe(text);
      expect(removed(after).trimEnd()).toBe(text.trimEnd());
    }),
  );
});

const serverIn = (text: string) => (parse(text)["mcp_servers"] as Record<string, unknown>)["tongs-agents"];

it("T-29 passes Codex's servers the variables it clears, and lets a call last eleven minutes", () => {
  expect(serverIn(added(""))).toMatchObject({
    tool_timeout_sec: 660,
    env_vars: expect.arrayContaining([
      "TONGS_AGENTS_LAUNCH_ID",
      "TONGS_AGENTS_STATE_DIR",
      "TONGS_AGENTS_CONFIG",
      "XDG_RUNTIME_DIR",
      "XDG_STATE_HOME",
      "XDG_CONFIG_HOME",
      "TMUX_TMPDIR",
      "ZELLIJ_SOCKET_DIR",
    ]),
  });
});

it("approves the tools only where install was told to", () => {
  const approved = added(added(""), approving);
  expect(serverIn(approved)).toMatchObject({ default_tools_approval_mode: "approve" });
  expect(serverIn(added(approved))).not.toHaveProperty("default_tools_approval_mode");
});

it("keeps tables that Codex put between its marks", () => {
  const text = added('model = "x"\n').replace("# <<<", '\n[mcp_servers.other]\ncommand = "other"\n# <<<');
  expect(added(text)).toContain("[mcp_servers.other]");
  expect(removed(text)).toBe('model = "x"\n\n[mcp_servers.other]\ncommand = "other"\n');
  expect(removed(added(text))).toBe('model = "x"\n\n[mcp_servers.other]\ncommand = "other"\n');
});

it("refuses when keys of another table would fall out of the block", () => {
  const text = added("[tui]\n").replace("# <<<", '\nenv = { KEY = "mine" }\n# <<<');
  expect(() => removed(text)).toThrow(/other settings stand between/);
});

it("does not take marks inside a text for its block", () => {
  const text = 'note = """\n# >>> tongs-agents >>>\nhello\n# <<< tongs-agents <<<\n"""\n';
  expect(() => removed(text)).toThrow(/cannot be edited safely/);
  expect(() => added(text)).toThrow(/cannot be edited safely/);
});

it.each([
  ['[mcp_servers.tongs-agents]\ncommand = "tongs-agents"\n', /that install did not write/],
  ['mcp_servers = { other = { command = "x" } }\n', /cannot be edited safely/],
  ["[mcp_servers\n", /cannot be edited safely/],
])("refuses %j with one sentence", (text, sentence) => {
  expect(() => file.add(text)).toThrow(sentence);
});
