import { shownText } from "@agent-control/base";

/** Keys and list indexes from the root of a document, e.g. `["profiles", "lead", "command", 0]`. */
export type KeyPath = readonly (string | number)[];

/** Where something stands in a file; both count from 1, columns in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export type TableWord = "table" | "map";

/** A parsed file that a person wrote, whatever its format. */
export interface ConfigDocument {
  /** The path of the file, as it is shown in errors. */
  readonly path: string;
  /** What a set of keys and values is called in this format. */
  readonly tableWord: TableWord;
  /** Plain values; tables are objects without a prototype, whole numbers are bigints. */
  readonly value: unknown;
  /** The place of a key's name or of its value; of the nearest enclosing table when it is not in the file. */
  placeOf(keyPath: KeyPath, part: "key" | "value"): Promise<Place>;
}

/** The place of a character of a text. */
export function placeAt(text: string, index: number): Place {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: index - lineStart + 1 };
}

/** A key path as a person would write it: `profiles."a b".command[0]`; control characters escaped, long keys cut. */
export function renderKeyPath(keyPath: KeyPath): string {
  return keyPath.reduce<string>((shown, key) => {
    if (typeof key === "number") return `${shown}[${key}]`;
    return shown === "" ? renderKey(key) : `${shown}.${renderKey(key)}`;
  }, "");
}

function renderKey(key: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(key) ? key : quoted(key);
}

/** A text of the file between quotes: control characters escaped, cut after 64 characters. */
export function quoted(text: string): string {
  const shown = shownText(text.slice(0, 64));
  return text.length > 64 ? `"${shown}…"` : `"${shown}"`;
}
