import { Failure } from "@agent-control/base";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { KeyPath } from "../src/config-document.ts";
import { parseTomlDocument } from "../src/toml-document.ts";
import { parseTongsConfig } from "../src/tongs-config.ts";
import { failureOf } from "./refused.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8");
const open = (text: string) => parseTomlDocument(bytes(text), "/etc/config.toml");

async function messageFor(content: string | Uint8Array): Promise<string> {
  const source = typeof content === "string" ? bytes(content) : content;
  const failure = await failureOf(parseTongsConfig(source, "/etc/config.toml"));
  expect(failure).toMatchObject({ outcome: "refused", code: "config-invalid" });
  return failure.message;
}

async function placeIn(text: string, keyPath: KeyPath, part: "key" | "value" = "value"): Promise<string> {
  const { line, column } = await open(text).placeOf(keyPath, part);
  return `${line}:${column}`;
}

it("T-04 accepts a byte order mark and CRLF", async () => {
  const config = await parseTongsConfig(
    bytes('\ufeff[control]\r\nmcp_enabled = true\r\n[workspace]\r\nsession = """a\\\r\n  b"""\r\n'),
    "config.toml",
  );
  expect(config.control.mcpEnabled).toBe(true);
  expect(config.workspace.session).toBe("ab");
});

it.each([
  [
    "a key twice",
    "[control]\nmcp_enabled = true\nmcp_enabled = true",
    "3:1",
    '"mcp_enabled" is defined a second time',
  ],
  ["a table twice", "[control]\n[workspace]\n  [control]\n", "3:4", '"control" is defined a second time'],
  ["a table after its dotted keys", "control.mcp_enabled = true\n[control]", "2:2", "defined a second time"],
  ["a list of tables after a table", "[control]\n[[control]]", "2:3", "defined a second time"],
  [
    "a key of an inline table twice",
    "[profiles.a]\nenv = { A = '1', A = '2' }",
    "2:18",
    '"A" is defined a second time',
  ],
  ["a control byte in text", '[workspace]\nsession = "a\x01b"', "2:13", "control characters"],
  ["a control byte in a comment", "# ok\n# \x07\n", "2:3", "control characters"],
  ["a leading zero", "[control]\nmcp_max_agents = 01", "2:18", "leading zero"],
  ["two underscores in a number", "[control]\nmcp_max_agents = 1__0", "2:20", "underscore"],
  ["no value", "[control]\nmcp_enabled =\n", "2:14", "the file is not TOML here"],
  ["no key", "[control]\n= 1", "2:1", "the file is not TOML here"],
  ["two pairs in a line", "[control] mcp_enabled = true", "1:11", "the file is not TOML here"],
  ["text without an end", '[workspace]\nsession = "a\n', "2:13", "the file is not TOML here"],
  ["a table without an end", "[control\n", "1:9", "the file is not TOML here"],
  ["a capital true", "[control]\nmcp_enabled = True", "2:15", "the file is not TOML here"],
  ["a half of a surrogate pair", '[workspace]\nsession = "\\ud800"', "2:12", "the file is not TOML here"],
  ["endless nesting", `x = ${"[".repeat(50_000)}`, "1:1005", "the file is not TOML here"],
  ["a 30th of February", "[control]\nmcp_enabled = 1979-02-30", "2:24", "the file is not TOML here"],
  ["a NUL", "[control]\n\0", "2:1", "NUL"],
  ["a NUL in text", '[workspace]\nsession = "a\0"', "2:13", "NUL"],
  ["a lone carriage return", "[control]\rmcp_enabled = true", "1:10", "carriage return"],
  ["a lone carriage return in long text", '[workspace]\nsession = """a\rb"""', "2:15", "carriage return"],
  ["two byte order marks", "\ufeff\ufeff[control]", "1:1", "byte order marks"],
])("T-04 C-10 refuses %s and says where", async (_, text, place, says) => {
  const message = await messageFor(text);
  expect(message).toContain(`config.toml:${place}: `);
  expect(message).toContain(says);
});

it.each([
  ["a byte that UTF-8 never has", [...bytes("# é\na = "), 0xff, 0x0a], "2:5"],
  ["a character cut short", [...bytes('a = "'), 0xe2, 0x82, 0x22], "1:6"],
  ["a character cut short that starts like the replacement", [...bytes("a"), 0xef, 0xbf, 0x41], "1:2"],
  ["an overlong slash", [0xc0, 0xaf], "1:1"],
  ["a surrogate", [...bytes("\n\n"), 0xed, 0xa0, 0x80], "3:1"],
  ["a character that the end cuts", [...bytes("a\nbc"), 0xf0, 0x9f], "2:3"],
  ["a wrong byte after a byte order mark", [0xef, 0xbb, 0xbf, ...bytes("ab"), 0x80], "1:3"],
])("T-04 refuses %s as invalid UTF-8 and says where", async (_, content, place) => {
  expect(await messageFor(Uint8Array.from(content))).toBe(`config.toml:${place}: the file is not UTF-8 text`);
});

it("T-04 names UTF-16 when the file is that, and refuses it without a mark for its NULs", async () => {
  const utf16 = Buffer.from("\ufeff[control]", "utf16le");
  expect(await messageFor(utf16)).toBe("config.toml:1:1: the file is not UTF-8 text but UTF-16");
  expect(await messageFor(utf16.subarray(2))).toBe("config.toml:1:2: the file contains a NUL character");
});

it("C-10 keeps the replacement character of a file that really has it", async () => {
  const config = await parseTongsConfig(bytes('[workspace]\nsession = "\ufffd"'), "config.toml");
  expect(config.workspace.session).toBe("\ufffd");
});

it("C-10 does not show the file's text in an error, which may hold a secret", async () => {
  const failure = await failureOf(
    parseTongsConfig(bytes('[profiles.a]\ncommand = ["x"]\nenv = { TOKEN = "hunter2 }'), "config.toml"),
  );
  expect(`${failure.message} ${failure.next} ${JSON.stringify(failure.details)}`).not.toContain("hunter2");
});

it("C-10 finds keys, values, list elements and headers, however they are written", async () => {
  const text = [
    'top.dotted . "quoted" = 1', // 1
    "[a.b]", // 2
    "c = [", // 3
    "  1, # one", // 4
    "  { d = 2, 'e' = [3] },", // 5
    "]", // 6
    "[[f]]", // 7
    "[[f]]", // 8
    "  [f.g]", // 9
    "  h = '''x'''", // 10
  ].join("\r\n");
  expect(await placeIn(text, ["top", "dotted", "quoted"], "key")).toBe("1:14");
  expect(await placeIn(text, ["top", "dotted", "quoted"])).toBe("1:25");
  expect(await placeIn(text, ["top", "dotted"], "key")).toBe("1:5");
  expect(await placeIn(text, ["a"], "key")).toBe("2:2");
  expect(await placeIn(text, ["a", "b"])).toBe("2:4");
  expect(await placeIn(text, ["a", "b", "c"])).toBe("3:5");
  expect(await placeIn(text, ["a", "b", "c", 0])).toBe("4:3");
  expect(await placeIn(text, ["a", "b", "c", 1, "e", 0])).toBe("5:19");
  expect(await placeIn(text, ["f", 1, "g", "h"])).toBe("10:7");
});

it("C-10 points at the enclosing table for a key that is not there, and at the start without one", async () => {
  expect(await placeIn("[a]\n[a.b]\nc = 1", ["a", "b", "missing"])).toBe("2:4");
  expect(await placeIn("a = 1", ["missing"])).toBe("1:1");
});

it("C-10 counts columns from 1 and lines by line feeds alone, whatever other separators text holds", async () => {
  expect(await placeIn('a = "\u2028\u0085"\nb = 1', ["b"], "key")).toBe("2:1");
  expect(await placeIn('"é😀" = 1', ["é😀"])).toBe("1:9");
});

const fragments = [
  ..."[]{}=.,#\"'\\_-+ \t\n",
  ...["\r\n", "\r", "\0", "\x7f", "[[", '"""', "'''", "a", "control", "profiles.x", "mcp_enabled", "command"],
  ...["env", "1", "6.0", "1e3", "inf", "0x1F", "true", "1979-05-27", "07:32", "\\u00e9", "é", "😀", "\ufeff"],
  ...["__proto__", "constructor", "[control]\n", "[profiles.a]\n", 'command = ["x"]\n', "a = {b = 1}\n"],
];

it("C-10 ends in values or in a refusal with line and column, whatever the text", async () => {
  const anyText = fc.array(fc.constantFrom(...fragments), { maxLength: 14 }).map((parts) => parts.join(""));
  await fc.assert(fc.asyncProperty(fc.oneof(anyText, fc.string({ unit: "binary" })), endsWell), {
    numRuns: 3_000,
  });
});

it("C-10 ends in values or in a refusal with line and column, whatever the bytes", async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), endsWell), { numRuns: 1_000 });
});

async function endsWell(content: string | Uint8Array): Promise<void> {
  const source = typeof content === "string" ? bytes(content) : content;
  const lines = Buffer.from(source).toString("utf8").split("\n").length;
  const error = await parseTongsConfig(source, "config.toml").catch((reason: unknown) => reason);
  if (!(error instanceof Error)) return;
  if (!(error instanceof Failure)) throw error;
  const [, line, column] = /^config\.toml:([0-9]+):([0-9]+): ./u.exec(error.message) ?? [];
  expect(Number(line)).toBeGreaterThanOrEqual(1);
  expect(Number(line)).toBeLessThanOrEqual(lines);
  expect(Number(column)).toBeGreaterThanOrEqual(1);
}
