/** Reads the fields of one JSON object and remembers the first wrong one. */
export interface RecordReader {
  value(key: string): unknown;
  /** What was found, or a wrong field when it is undefined; then the result must not be used. */
  check<T>(key: string, found: T | undefined): T;
  text(key: string): string;
  /** An absolute path. */
  path(key: string): string;
  /** ISO 8601. */
  time(key: string): string;
  oneOf<T extends string>(key: string, words: readonly T[]): T;
  /** Undefined for null. */
  optional<T>(key: string, read: (value: unknown) => T | undefined): T | undefined;
  /** What is wrong; undefined when nothing is. */
  wrong(): string | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

export function createRecordReader(bytes: Uint8Array): RecordReader {
  const fields = parseObject(bytes);
  let wrong: string | undefined = fields === undefined ? "it is not a JSON object" : undefined;
  const value = (key: string): unknown => (fields && Object.hasOwn(fields, key) ? fields[key] : undefined);
  const check = <T>(key: string, found: T | undefined): T => {
    if (found === undefined) wrong ??= `its ${key} is wrong`;
    return found as T;
  };
  return {
    value,
    check,
    wrong: () => wrong,
    text: (key) => check(key, text(value(key))),
    path: (key) => check(key, path(value(key))),
    time: (key) => check(key, time(value(key))),
    oneOf: (key, words) =>
      check(
        key,
        words.find((word) => word === value(key)),
      ),
    optional: (key, read) => (value(key) === null ? undefined : check(key, read(value(key)))),
  };
}

/** Any text that a program argument can hold. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && !value.includes("\0") ? value : undefined;
}

export function time(value: unknown): string | undefined {
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function path(value: unknown): string | undefined {
  const found = text(value);
  return found?.startsWith("/") ? found : undefined;
}

function parseObject(bytes: Uint8Array): Fields | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Not UTF-8 or not JSON: the caller says which record is unreadable.
  }
}
