// Lenient reading of JSON that another program sent: what is missing or of another type reads as empty.

/** The members of a JSON object; `{}` for anything else. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The items of a JSON array; `[]` for anything else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A JSON string; "" for anything else. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** True for a JSON object that is not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
