import fc from "fast-check";
import { expect, it } from "vitest";
import { approveTemplates, parseMcpSettings } from "../src/index.ts";
import { failureOf } from "./refused.ts";

const edited = async (text: string, ...names: string[]) =>
  Buffer.from(await approveTemplates(Buffer.from(text), "/x/mcp.yaml", names)).toString();

it.each([
  ["", "templates: [a, b]\n"],
  ["# mine\n", "# mine\ntemplates: [a, b]\n"],
  ["# mine", "# mine\ntemplates: [a, b]\n"],
  ["max-instances: 3 # few\n", "max-instances: 3 # few\ntemplates: [a, b]\n"],
  ["max-instances: 3 # few", "max-instances: 3 # few\ntemplates: [a, b]\n"],
  ["max-instances: 3\r\n# end\r\n", "max-instances: 3\r\ntemplates: [a, b]\r\n# end\r\n"],
  ["{max-instances: 3}\n", "{templates: [a, b], max-instances: 3}\n"],
  ["{}\n", "{templates: [a, b]}\n"],
  ["---\nmax-instances: 3\n...\n", "---\nmax-instances: 3\ntemplates: [a, b]\n...\n"],
  ["host-tools:\n  x:\n    command: |\n      y\n    description: z\n", undefined],
])("X-10 approves templates in %j, which approves none, and keeps all else", async (text, after) => {
  expect(await edited(text, "a", "b")).toBe(after ?? `${text}templates: [a, b]\n`);
});

it.each([
  ["templates: [a, c] # work\n", "templates: [a, b] # work\n"],
  ["templates: [c, a]\n", "templates: [a, b]\n"],
  ["templates: [c]\n", "templates: [a, b]\n"],
  ["templates: []\n", "templates: [a, b]\n"],
  ["templates: [ ] # none\n", "templates: [a, b ] # none\n"],
  ["templates: [a, c, d]\n", "templates: [a, b]\n"],
  ["templates: [c, d, a, e]\n", "templates: [a, b]\n"],
  ["templates: ['a', \"c\"]\n", "templates: ['a', b]\n"],
  ["templates: [\n  a, # main\n  c # old\n]\n", "templates: [\n  a, b, # main\n   # old\n]\n"],
  ["templates: [\n  c, # old\n  a # main\n]\n", "templates: [\n  a, b # main\n]\n"],
  [
    "templates:\n  # for work\n  - a   # main\n  - c # old\nx: 1",
    "templates:\n  # for work\n  - a   # main\n  - b\nx: 1",
  ],
  ["templates: # mine\n- c\n- a\n", "templates: # mine\n- a\n- b\n"],
  ["templates:\n  - c\n  - d\n\n# after\n", "templates:\n  - a\n  - b\n\n# after\n"],
  ["templates:\r\n  - a\r\n  - c", "templates:\r\n  - a\r\n  - b\r\n"],
  ["templates:\n  - c\n  - a", "templates:\n  - a\n  - b\n"],
  ["\ufefftemplates: [c]\r\n", "\ufefftemplates: [a, b]\r\n"],
])("X-10 changes %j to approve exactly a and b, comments of what stays included", async (text, after) => {
  expect(await edited(text, "a", "b")).toBe(after);
});

it.each([
  ["templates: [a, b]\n", "templates: []\n"],
  ["templates:\n  - a # main\n  # rest\n  - b\nx: 1\n", "templates: []\n  # rest\nx: 1\n"],
  ["templates: # mine\n- a\n", "templates: [] # mine\n"],
])("X-10 withdraws all in %j", async (text, after) => {
  expect(await edited(text)).toBe(after);
});

it.each(["templates: [b,   a]", "templates:\n\n\n - 'a'\n - b\n", "  templates: [a,b,]"])(
  "X-10 leaves %j alone, which approves just these",
  async (text) => {
    expect(await edited(text, "a", "b")).toBe(text);
  },
);

it("X-10 quotes a name that YAML would take for something else", async () => {
  const after = await edited("", "null", "true", "tpl-a");
  expect(after).toBe('templates: ["null", "true", tpl-a]\n');
  expect((await parseMcpSettings(Buffer.from(after), "x", [])).templates).toEqual(["null", "true", "tpl-a"]);
});

it.each([
  "templates: &t [c]\nmore: *t\n",
  "other: &t [c]\ntemplates: *t\n",
  "templates: [\n  c\n  , a\n  , d]\n",
  "templates: c\n",
  "- a\n",
])("X-10 refuses to edit %j, where it could change something else, and says what to write", async (text) => {
  const failure = await failureOf(approveTemplates(Buffer.from(text), "/x/mcp.yaml", ["a", "b"]));
  expect(failure).toMatchObject({
    outcome: "refused",
    code: "edit-impossible",
    next: "Write templates: [a, b] there yourself",
  });
});

it("X-10 refuses to edit what is not YAML", async () => {
  const failure = await failureOf(approveTemplates(Buffer.from("templates: [a"), "/x/mcp.yaml", ["a"]));
  expect(failure.code).toBe("config-invalid");
});

const name = fc.constantFrom("a", "b", "c", "d", "e", "f");
const someNames = fc.uniqueArray(name, { maxLength: 6 });
const entry = fc.record({ name, quote: fc.constantFrom("", "'", '"'), note: fc.constantFrom("", " # kept") });
const written = fc.uniqueArray(entry, { maxLength: 5, selector: (one) => one.name });

it("X-10 approves exactly the names asked for and leaves every other key, in lists of any style", async () => {
  await fc.assert(
    fc.asyncProperty(
      written,
      someNames,
      fc.constantFrom("flow", "lines", "block"),
      async (entries, names, style) => {
        const text = `# top\nmax-instances: 3 # few\ntemplates:${list(entries, style)}\nsummary-model: opus\n# end`;
        const after = await edited(text, ...names);
        const settings = await parseMcpSettings(Buffer.from(after), "x", []);
        expect([...settings.templates].sort()).toEqual([...names].sort());
        expect(after).toMatch(/^# top\nmax-instances: 3 # few\n[\s\S]*\nsummary-model: opus\n# end$/);
      },
    ),
    { numRuns: 500 },
  );
});

function list(
  entries: readonly { readonly name: string; readonly quote: string; readonly note: string }[],
  style: string,
): string {
  const names = entries.map(({ name, quote }) => `${quote}${name}${quote}`);
  if (style === "flow" || entries.length === 0) return ` [${names.join(", ")}]`;
  if (style === "lines")
    return ` [\n${names.map((name, index) => `  ${name},${entries[index]?.note}\n`).join("")}  ]`;
  return names.map((name, index) => `\n  - ${name}${entries[index]?.note}`).join("");
}
