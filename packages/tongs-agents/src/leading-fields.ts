/**
 * The text fields at the top of a JSON object that may be cut off anywhere, up to the cut: harnesses write the short
 * ones (session, directory, event) before the long ones. Other values are skipped; {} for anything but an object.
 */
export function leadingFields(text: string): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  let at = /^\s*\{/.exec(text)?.[0].length ?? text.length;
  for (;;) {
    const key = stringAt(text, at);
    if (key === undefined) break;
    const value = stringAt(text, key.end, ":");
    const end = value?.end ?? endOfValue(text, key.end);
    if (value) fields.set(key.text, value.text);
    const comma = separator(text, end, ",");
    if (comma === undefined) break;
    at = comma;
  }
  return Object.fromEntries(fields);
}

const whole = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;

/** The string that stands there, after `before` when it is given; undefined when none does, or not all of it. */
function stringAt(text: string, at: number, before?: string): { text: string; end: number } | undefined {
  const start = before === undefined ? skipBlanks(text, at) : separator(text, at, before);
  whole.lastIndex = start ?? text.length;
  const found = whole.exec(text)?.[0];
  const value = found === undefined ? undefined : parsed(found);
  return value === undefined ? undefined : { text: value, end: whole.lastIndex };
}

function parsed(text: string): string | undefined {
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined; // An escape that JSON does not know.
  }
}

/** Just behind the character and the blanks around it; undefined when something else stands there. */
function separator(text: string, at: number, character: string): number | undefined {
  const start = skipBlanks(text, at);
  return text[start] === character ? skipBlanks(text, start + 1) : undefined;
}

function skipBlanks(text: string, at: number): number {
  let end = at;
  while (/\s/.test(text[end] ?? "")) end += 1;
  return end;
}

const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},]/gs;

/** Where the comma or bracket stands that ends the value before it; the end of the text when it is cut. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  tokens.lastIndex = from;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [mark] = token;
    if (depth === 0 && (mark === "," || mark === "}" || mark === "]")) return token.index;
    if (mark === "{" || mark === "[") depth += 1;
    if (mark === "}" || mark === "]") depth -= 1;
  }
  return text.length;
}
