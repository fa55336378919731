import { Failure } from "@agent-control/base";
import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { type KeyPath, parseMcpSettings, parseTemplateDefinition } from "../src/index.ts";
import { parseYamlDocument } from "../src/yaml-document.ts";
import { failureOf } from "./refused.ts";

const open = (text: string) => parseYamlDocument(Buffer.from(text), "/etc/mcp.yaml");
const parsed = async (content: string | Uint8Array) =>
  parseYamlDocument(Buffer.from(content), "/etc/mcp.yaml");

async function messageFor(content: string | Uint8Array): Promise<string> {
  const failure = await failureOf(parsed(content));
  expect(failure).toMatchObject({ outcome: "refused", code: "config-invalid" });
  return failure.message;
}

async function placeIn(text: string, keyPath: KeyPath, part: "key" | "value" = "value"): Promise<string> {
  const { line, column } = await open(text).placeOf(keyPath, part);
  return `${line}:${column}`;
}

it("C-10 reads YAML 1.2 core: what older YAML made booleans, numbers or dates stays text", () => {
  const text =
    "[no, on, y, off, 2026-01-01, 12:30:45, 1_000, 0b1, true, null, ~, 012, 0x1F, 0o17, 1e3, .inf]";
  expect(open(text).value).toEqual([
    ...["no", "on", "y", "off", "2026-01-01", "12:30:45", "1_000", "0b1"],
    ...[true, null, null, 12n, 31n, 15n, 1000, Number.POSITIVE_INFINITY],
  ]);
});

it("C-10 keeps keys text, whatever they look like, and maps without a prototype", () => {
  const { value } = open("no: 1\nnull: 2\n8080: 3\ntrue: 4\n__proto__: 5\n");
  expect(Object.getPrototypeOf(value)).toBeNull();
  expect(Object.entries(value ?? {})).toEqual([
    ["8080", 3n],
    ["no", 1n],
    ["null", 2n],
    ["true", 4n],
    ["__proto__", 5n],
  ]);
});

it("C-10 takes a file with nothing in it, or only comments, for no value", () => {
  for (const text of ["", "\n", "# nothing\n", "---\n", "---\n# nothing\n...\n", "~", "\ufeff"]) {
    expect(open(text).value).toBeUndefined();
  }
});

it("C-10 accepts a byte order mark and CRLF", () => {
  expect(open("\ufeffa: 1\r\nb:\r\n  - x\r\nc: |\r\n  d\r\n  e\r\n").value).toEqual({
    a: 1n,
    b: ["x"],
    c: "d\ne\n",
  });
});

it.each([
  ["a key twice", "a: 1\nb: 2\na: 3", "3:1", 'the file has the key "a" twice (first in line 1)'],
  ["a key twice, differently quoted", "a: {x: 1, 'x': 2}", "1:11", '"x" twice'],
  ["a merge key", "a: &a {x: 1}\nb:\n  <<: *a", "3:3", "merge key"],
  ["a merge key in quotes", '"<<": 1', "1:1", "merge key"],
  ["a tag of its own", "a: !secret x", "1:4", "tag"],
  ["a tag of older YAML", "a: !!binary aGk=", "1:4", "tag"],
  ["a tag that does not fit", "a: !!int x", "1:4", "tag"],
  ["a tag without a name", "a: ! x", "1:6", "tag"],
  ["a key with a tag", "!!str a: x", "1:7", "a key with an anchor or tag"],
  ["older YAML", "%YAML 1.1\n---\na: no", "1:1", "another YAML than 1.2"],
  ["a second document", "a: 1\n---\nb: 2", "2:1", "second document"],
  ["a map as a key", "? {a: 1}\n: 2", "1:3", "a key must be text"],
  ["an alias as a key", "a: &x b\n? *x\n: 2", "2:3", "a key"],
  ["an alias of nothing", "a: *x", "1:4", "alias without an anchor"],
  ["an alias before its anchor", "a: *x\nb: &x 1", "1:4", "alias without an anchor"],
  ["an alias of itself", "a: &x [*x]", "1:8", "itself part of"],
  ["a tab as indentation", "a:\n\tb: 1", "2:1", "not with tabs"],
  ["a tab before a list", "a:\n\t- b", "2:1", "not with tabs"],
  ["wrong indentation", "a:\n    b: 1\n  c: 2", "3:1", "the file is not YAML here"],
  ["two keys on a line", "a: b: c", "1:4", "the file is not YAML here"],
  ["an open bracket", "a: [b", "1:6", "bracket"],
  ["an open quote", 'a: "b\nc: d', "2:5", "missing"],
  ["a bracket too many", "a: [b]]", "1:7", "does not belong"],
  ["a reserved character", "a: @b", "1:4", "needs quotes"],
  ["an escape that does not exist", 'a: "\\q"', "1:5", "no such escape"],
  ["a NUL", "a: 1\n\0", "2:1", "NUL"],
  ["a lone carriage return", "a: 1\rb: 2", "1:5", "carriage return"],
  ["two byte order marks", "\ufeff\ufeffa: 1", "1:1", "byte order marks"],
  ["brackets 100 000 deep", "[".repeat(100_000), "1:65", "nested more than 64"],
  ["dashes 60 000 deep", "- ".repeat(60_000), "1:129", "nested more than 64"],
  ["a file over 128 KiB", `# ${"x".repeat(128 * 1024)}`, "1:1", "larger than 128 KiB"],
])("C-10 refuses %s and says where", async (_, text, place, says) => {
  const message = await messageFor(text);
  expect(message).toContain(`mcp.yaml:${place}: `);
  expect(message).toContain(says);
});

it("C-10 refuses invalid UTF-8 and UTF-16 and says where", async () => {
  expect(await messageFor(Uint8Array.from([...Buffer.from("a: é\nb: "), 0xff]))).toBe(
    "mcp.yaml:2:4: the file is not UTF-8 text",
  );
  expect(await messageFor(Buffer.from("\ufeffa: 1", "utf16le"))).toBe(
    "mcp.yaml:1:1: the file is not UTF-8 text but UTF-16",
  );
});

it("X-08 C-10 refuses a billion laughs at once and lets aliases repeat a little", async () => {
  const tens = (name: string, of: string) => `${name}: &${name} [${Array(10).fill(of).join(", ")}]\n`;
  const laughs =
    tens("a", "x") +
    ["b", "c", "d", "e", "f", "g", "h", "i"]
      .map((name, index) => tens(name, `*${"abcdefgh"[index]}`))
      .join("");
  const started = performance.now();
  expect(await messageFor(laughs)).toContain("aliases that repeat more than 10000 values");
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(open("a: &x [1, 2]\nb: *x\nc: [*x, *x]").value).toMatchObject({
    b: [1n, 2n],
    c: [
      [1n, 2n],
      [1n, 2n],
    ],
  });
});

it("C-10 takes an anchor that is set again for what it is at that place", () => {
  expect(open("a: &x 1\nb: &y [*x]\nc: &x [*y]\nd: *x").value).toMatchObject({ d: [[1n]] });
});

it("C-10 never shows the file's text in an error, which may hold a secret", async () => {
  for (const text of [
    'a: "hunter2',
    "a: 'x' hunter2",
    "a: !hunter2 x",
    "*hunter2 x",
    "a: @hunter2",
    "%hunter2",
  ]) {
    const failure = await failureOf(parsed(text));
    expect(`${failure.message} ${failure.next} ${JSON.stringify(failure.details)}`).not.toContain("hunter2");
  }
});

it("C-10 finds keys, values and list elements, however they are written", async () => {
  const text = [
    "top: &anchor", // 1
    "  'quoted key': x # y", // 2
    "list:", // 3
    "- one", // 4
    "-", // 5
    "  a: [1, {b: 2}]", // 6
    "text: |", // 7
    "  block", // 8
    "empty:", // 9
    "again: *anchor", // 10
  ].join("\r\n");
  expect(await placeIn(text, ["top", "quoted key"], "key")).toBe("2:3");
  expect(await placeIn(text, ["top", "quoted key"])).toBe("2:17");
  expect(await placeIn(text, ["list"], "key")).toBe("3:1");
  expect(await placeIn(text, ["list", 0])).toBe("4:3");
  expect(await placeIn(text, ["list", 1, "a", 1, "b"])).toBe("6:14");
  expect(await placeIn(text, ["text"])).toBe("7:7");
  expect(await placeIn(text, ["empty"])).toBe("9:7");
  expect(await placeIn(text, ["again"])).toBe("10:8");
  expect(await placeIn(text, ["again", "quoted key"])).toBe("2:17");
});

it("C-10 points at the enclosing map for a key that is not there, and at the start without one", async () => {
  expect(await placeIn("a:\n  b:\n    c: 1", ["a", "b", "missing"])).toBe("2:3");
  expect(await placeIn("a: 1", ["missing"])).toBe("1:1");
  expect(await placeIn("", ["missing"])).toBe("1:1");
});

const leaf = fc.oneof(
  fc.string({ unit: "grapheme" }).filter((text) => !/[\0\ufeff]/.test(text)),
  fc.bigInt(-(2n ** 63n), 2n ** 63n),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(
    "no",
    "012",
    "1e3",
    "~",
    "<",
    "- a",
    "a: b",
    "# c",
    "*x",
    "&x",
    "!x",
    "%",
    "@",
    "`",
    " a ",
    "\n",
  ),
);
const key = fc
  .string({ minLength: 1, maxLength: 12 })
  .filter((text) => text !== "<<" && !text.includes("\0"));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

it("C-10 reads back every tree of values that is written as YAML", () => {
  fc.assert(
    fc.property(tree, fc.constantFrom("\n", "\r\n"), (value, lineBreak) => {
      const source = stringify(value, { lineWidth: 0 });
      const text = source.includes("\r") ? source : source.replaceAll("\n", lineBreak);
      expect(parseYamlDocument(Buffer.from(text), "x").value ?? null).toEqual(value);
    }),
    { numRuns: 1_000 },
  );
});

const fragments = [
  ..."[]{}:,#\"'\\-+ \t\n?&*!|>%@`~<=",
  ...[
    "\r\n",
    "\r",
    "\0",
    "\x7f",
    "- ",
    ": ",
    "\n  ",
    "\n\t",
    "---\n",
    "...\n",
    "&a ",
    "*a",
    "<<: *a",
    "!!str ",
    "%YAML 1.1\n",
  ],
  ...[
    "templates: ",
    "[a, b]",
    "max-instances: ",
    "host-tools:\n  x:\n    ",
    "command: ",
    "8",
    "1.5",
    "true",
    "null",
  ],
  ...[
    "name: ",
    "tpl-a\n",
    "files:\n  - ",
    "mode: ",
    "0644",
    "é",
    "😀",
    "\ufeff",
    "\u2028",
    "__proto__: ",
    "? ",
    "|\n  ",
  ],
];

it("X-08 C-10 ends in values or in a refusal with line and column, whatever the text", async () => {
  const anyText = fc.array(fc.constantFrom(...fragments), { maxLength: 16 }).map((parts) => parts.join(""));
  await fc.assert(fc.asyncProperty(fc.oneof(anyText, fc.string({ unit: "binary" })), endsWell), {
    numRuns: 3_000,
  });
});

it("X-08 C-10 ends in values or in a refusal with line and column, whatever the bytes", async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), endsWell), { numRuns: 1_000 });
});

it.each(["[", "? ", "&a ", '"', "%a\n", "k: "])(
  "X-08 C-10 ends in bounded time with a file full of %j",
  async (piece) => {
    const started = performance.now();
    await endsWell(piece.repeat((127 * 1024) / piece.length));
    expect(performance.now() - started).toBeLessThan(10_000);
  },
);

async function endsWell(content: string | Uint8Array): Promise<void> {
  const source = Buffer.from(content);
  const lines = source.toString("utf8").split("\n").length;
  for (const parse of [(bytes: Uint8Array) => parseMcpSettings(bytes, "x.yaml", []), parseTemplate]) {
    const error = await parse(source).catch((reason: unknown) => reason);
    if (!(error instanceof Error)) continue;
    if (!(error instanceof Failure)) throw error;
    expect(error.code).toBe("config-invalid");
    const [, line, column] = /^x\.yaml:([0-9]+):([0-9]+): ./u.exec(error.message) ?? [];
    expect(Number(line)).toBeGreaterThanOrEqual(1);
    expect(Number(line)).toBeLessThanOrEqual(lines);
    expect(Number(column)).toBeGreaterThanOrEqual(1);
  }
}

const parseTemplate = (bytes: Uint8Array) => parseTemplateDefinition(bytes, "x.yaml");
