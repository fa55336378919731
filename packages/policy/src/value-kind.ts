import type { TableWord } from "./config-document.ts";

/** What a value in a file is, for "must be …, not a list"; never shows the value itself, which may be a secret. */
export function kindOf(value: unknown, tableWord: TableWord): string {
  if (value === null) return "empty";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return `${value}`;
  if (typeof value === "bigint") return "a whole number";
  if (typeof value === "number") return "a number with a fraction or exponent";
  if (value instanceof Date) return "a date or time";
  return Array.isArray(value) ? "a list" : `a ${tableWord}`;
}

/** Whether a value is a table: an object that is no list, date or null. */
export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
