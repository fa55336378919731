import fc from "fast-check";
import { type ParseError, parse } from "jsonc-parser";
import { expect, it } from "vitest";
import { hookFile } from "../src/hook-file.ts";
import { type Harness, harnesses } from "../src/index.ts";
import { opencodeServer } from "../src/opencode-server.ts";
import { applyEdits, type ManagedFile, tongsServer } from "../src/setup.ts";
import { settingsTexts } from "./jsonc-texts.ts";

const program = ["/opt/node 20/bin/node", "/home/it's $HOME/tongs-agents"];
const elsewhere = { program: ["/usr/bin/node", "/old/tongs-agents"] };
const claudeHooks = hookFile(harnesses.claude, "settings.json", { program });
const oldHooks = hookFile(harnesses.claude, "settings.json", elsewhere);
const server = opencodeServer("opencode.jsonc", tongsServer({ program }));

const added = (file: ManagedFile, text: string) => applyEdits(text, file.add(text)).text;
const removed = (file: ManagedFile, text: string) => applyEdits(text, file.remove(text)).text;

function valueIn(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  expect(errors, text).toEqual([]);
  return value;
}

/** Without the groups, events and sections that only our entries were in. */
function withoutEmpty(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each) => (isEmptied(key, each) ? undefined : each));
}

function isEmptied(key: string, value: unknown): boolean {
  const isList = Array.isArray(value) && value.length === 0 && /^(Stop|PreToolUse|SessionEnd)$/.test(key);
  const isSection = key === "hooks" && typeof value === "object" && JSON.stringify(value) === "{}";
  return isList || isSection || (key === "mcp" && JSON.stringify(value) === "{}");
}

it.each([
  ["hooks", claudeHooks],
  ["an MCP server", server],
])("T-29 adds %s to any settings file by insertions alone, once, and undoes it to the byte", (_, file) => {
  fc.assert(
    fc.property(settingsTexts, (text) => {
      const edits = file.add(text);
      expect(edits.every(({ length }) => length === 0)).toBe(true);
      const { text: after, undo } = applyEdits(text, edits);
      valueIn(after);
      expect(file.entries(after).length).toBeGreaterThan(0);
      expect(file.add(after)).toEqual([]);
      expect(applyEdits(after, undo).text).toBe(text);
    }),
    { numRuns: 100 },
  );
});

it.each([
  ["hooks", claudeHooks],
  ["an MCP server", server],
])("T-29 removes exactly its entries (%s) from a file that changed since", (_, file) => {
  fc.assert(
    fc.property(settingsTexts, (text) => {
      const changed = added(file, text).replace('"theme"', '"theme of mine"');
      const after = removed(file, changed);
      expect(file.entries(after)).toEqual([]);
      const wanted = valueIn(text.replace('"theme"', '"theme of mine"'));
      expect(withoutEmpty(valueIn(after))).toEqual(withoutEmpty(wanted));
      expect(comments(after)).toEqual(comments(text));
      expect(file.remove(after)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

const comments = (text: string) => text.match(/\/\/ (?:above|behind)[^\r\n]*|\/\* (?:,|none) \*\//g);

it("points the entries of an earlier place to this one, and leaves everything around them", () => {
  fc.assert(
    fc.property(settingsTexts, (text) => {
      const moved = added(claudeHooks, added(oldHooks, text));
      expect(moved).toBe(added(claudeHooks, text));
    }),
  );
});

it("writes a missing file that its removal makes empty again", () => {
  for (const file of [claudeHooks, server]) {
    const { text, undo } = applyEdits("", file.add(""));
    expect(text.endsWith("}\n")).toBe(true);
    expect(applyEdits(text, undo).text).toBe("");
  }
});

it("reports the exact words of the program, whatever its path holds", () => {
  const [argv] = claudeHooks.entries(added(claudeHooks, "{}"));
  expect(argv).toEqual([...program, "hook", "SessionStart", "--agent", "claude"]);
  expect(server.entries(added(server, "{}"))).toEqual([[...program, "mcp"]]);
});

it("removes hooks for events that this version no longer registers", () => {
  const older: Harness = {
    ...harnesses.claude,
    hooks: [...harnesses.claude.hooks, { event: "BygoneEvent", timeoutSeconds: 5 }],
  };
  const text = added(hookFile(older, "settings.json", { program }), '{"hooks": {"Stop": []}}');
  expect(text).toContain("BygoneEvent");
  expect(added(claudeHooks, text)).not.toContain("BygoneEvent");
});

it("keeps what a person added to the MCP server's entry", () => {
  const text = `{"mcp": {"tongs-agents": {"type": "local", "command": ["/old/tongs-agents", "mcp"], "enabled": false}}}`;
  const after = added(server, text);
  expect(valueIn(after)).toMatchObject({
    mcp: { "tongs-agents": { enabled: false, command: [...program, "mcp"] } },
  });
});

it("refuses a server of its name that somebody else wrote", () => {
  const text = `{"mcp": {"tongs-agents": {"type": "remote", "url": "https://example.org"}}}`;
  expect(() => server.add(text)).toThrow(/has an MCP server tongs-agents that install did not write/);
  expect(server.remove(text)).toEqual([]);
});

it.each([
  ['{"hooks": {', /line 1, column 12 is not JSON/],
  ["[]", /the file is not an object/],
  ["nonsense", /not JSON/],
  ['{"hooks": []}', /"hooks" is not an object/],
  ['{"hooks": {"Stop": {}}}', /"Stop" is not an array/],
  ['{"hooks": {}, "hooks": {}}', /"hooks" is there twice/],
  ['{"hooks": {"Stop": [], "Stop": []}}', /"Stop" is there twice/],
])("refuses %s with one sentence", (text, sentence) => {
  expect(() => claudeHooks.add(text)).toThrow(sentence);
});

it("keeps a comment beside the member that it is about, and the file's indentation", () => {
  const text = '{\r\n\t"theme": "dark" // as at night\r\n}\r\n';
  const after = added(server, text);
  expect(after).toMatch(
    /^\{\r\n\t"theme": "dark", \/\/ as at night\r\n\t"mcp": \{\r\n\t\t"tongs-agents": \{/,
  );
  expect(removed(server, after)).toBe(text);
});
