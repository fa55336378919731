import fc from "fast-check";

/** How a person or an editor lays a JSONC file out. */
interface Style {
  readonly unit: string;
  readonly eol: string;
  readonly trailingComma: boolean;
  readonly comments: boolean;
  readonly finalNewline: boolean;
}

const styles: fc.Arbitrary<Style> = fc.record({
  unit: fc.constantFrom("", "  ", "    ", "\t"),
  eol: fc.constantFrom("\n", "\r\n"),
  trailingComma: fc.boolean(),
  comments: fc.boolean(),
  finalNewline: fc.boolean(),
});

const words = fc.constantFrom("theme", "env", "Stop", "matcher", "a b", "ключ", "//", "/*", "hooks2", "");
const leaves = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaves,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(words, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const foreignHook = fc.record({
  type: fc.constant("command"),
  command: fc.constantFrom(
    "say done",
    "'x' 'hook' 'Stop'",
    "tongs-agents hook Stop --agent claude",
    "'it''s'",
  ),
});
const foreignGroup = fc.record(
  { matcher: fc.constantFrom("", "Bash"), hooks: fc.array(foreignHook, { maxLength: 2 }) },
  { requiredKeys: ["hooks"] },
);
const foreignHooks = fc.dictionary(
  fc.constantFrom("Stop", "PreToolUse", "SessionEnd", "Unheard"),
  fc.array(foreignGroup, { maxLength: 2 }),
  { noNullPrototype: true },
);

/** Objects as they stand in settings, with and without hooks of others. */
export const settings: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(
    fc.dictionary(words, values, { maxKeys: 4, noNullPrototype: true }),
    fc.option(foreignHooks, { nil: undefined }),
    fc.dictionary(words, values, { maxKeys: 2, noNullPrototype: true }),
  )
  .map(([before, hooks, after]) => ({ ...before, ...(hooks ? { hooks } : {}), ...after }));

/** The object as a JSONC text in some layout. */
export const settingsTexts: fc.Arbitrary<string> = fc
  .tuple(settings, styles)
  .map(([value, style]) => render(value, style, "") + (style.finalNewline ? style.eol : ""));

function render(value: unknown, style: Style, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Array.isArray(value)
    ? value.map((each) => render(each, style, indent + style.unit))
    : Object.entries(value).map(
        ([key, each]) => `${JSON.stringify(key)}: ${render(each, style, indent + style.unit)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (members.length === 0)
    return `${open}${style.unit === "" || !style.comments ? "" : " /* none */ "}${close}`;
  return style.unit === ""
    ? `${open}${members.join(",")}${close}`
    : `${open}${style.eol}${lines(members, style, indent)}${indent}${close}`;
}

function lines(members: readonly string[], style: Style, indent: string): string {
  return members
    .map((member, index) => {
      const isLast = index === members.length - 1;
      const comma = isLast && !style.trailingComma ? "" : ",";
      const above = style.comments ? `${indent}${style.unit}// above ${index}${style.eol}` : "";
      const behind = style.comments && index % 2 === 1 ? ` // behind, ${index}` : "";
      const between = style.comments && index % 3 === 2 ? " /* , */" : "";
      return `${above}${indent}${style.unit}${member}${between}${comma}${behind}${style.eol}`;
    })
    .join("");
}
