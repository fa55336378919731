import { quoted } from "./config-document.ts";
import { type TextCheck, text } from "./scalar-shapes.ts";
import type { Shape } from "./shape.ts";
import { list } from "./table-shapes.ts";

/** A key that may be missing: undefined then. */
export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, spot) => (value === undefined ? undefined : shape(value, spot));
}

/** A key that must be there; `example` follows the key: "claude". */
export function required<T>(shape: Shape<T>, example: string): Shape<T> {
  return (value, spot) => {
    if (value === undefined) spot.refuse(`is missing; write one such as ${example}`);
    return shape(value, spot);
  };
}

/** A text in which nothing is filled in. */
export function words(check: TextCheck): Shape<string> {
  return text("", check);
}

/** A list of texts. */
export function texts(check: TextCheck): Shape<readonly string[]> {
  return list(() => words(check), []);
}

/** A list of texts that are all different. */
export function names(check: TextCheck): Shape<readonly string[]> {
  return (value, spot) => {
    const found = texts(check)(value, spot);
    for (const [index, name] of found.entries()) {
      if (name !== "" && found.indexOf(name) < index) {
        spot.below(index).refuse(`is in the list twice: ${quoted(name)}`);
      }
    }
    return found;
  };
}

/** An object whose keys of no value may be missing. */
export type Present<T> = { readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** The object without the keys that have no value. */
export function present<T extends object>(values: T): Present<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as unknown as Present<T>;
}
