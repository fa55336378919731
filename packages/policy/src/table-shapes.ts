import { nearest } from "@agent-control/base";
import { renderKeyPath } from "./config-document.ts";
import type { Shape, Spot } from "./shape.ts";
import { isTable, kindOf } from "./value-kind.ts";

type Fields = Readonly<Record<string, Shape<unknown>>>;
type Values<F extends Fields> = { readonly [Key in keyof F]: ReturnType<F[Key]> };

/** A table with exactly these keys, each of which may be missing if its shape says so; a missing table is an empty one. */
export function table<F extends Fields>(fields: F): Shape<Values<F>> {
  return (value, spot) => {
    const found = entriesOf(value, spot);
    for (const key of found.keys()) {
      if (!Object.hasOwn(fields, key)) refuseUnknownKey(key, Object.keys(fields), spot);
    }
    const values = Object.entries(fields).map(([key, shape]) => [
      key,
      shape(found.get(key), spot.below(key)),
    ]);
    return Object.fromEntries(values) as Values<F>;
  };
}

/**
 * A table whose keys the person chooses: `checkName` says what is wrong with a key ("must be …"). The result has
 * no prototype, so a key such as `constructor` is only there when the file has it.
 */
export function namedTable<T>(
  shape: (name: string) => Shape<T>,
  checkName: (name: string) => string | undefined,
): Shape<Readonly<Record<string, T>>> {
  return (value, spot) => {
    const named: Record<string, T> = Object.create(null);
    for (const [name, entry] of entriesOf(value, spot)) {
      const below = spot.below(name);
      const wrong = checkName(name);
      if (wrong !== undefined) below.refuseKey(wrong);
      named[name] = shape(name)(entry, below);
    }
    return named;
  };
}

/** A list whose elements all have the shape; missing: `otherwise`. */
export function list<T>(element: (index: number) => Shape<T>, otherwise: readonly T[]): Shape<readonly T[]> {
  return (value, spot) => {
    if (value === undefined) return otherwise;
    if (Array.isArray(value)) return value.map((entry, index) => element(index)(entry, spot.below(index)));
    spot.refuse(`must be a list, not ${kindOf(value, spot.tableWord)}`);
    return otherwise;
  };
}

function entriesOf(value: unknown, spot: Spot): ReadonlyMap<string, unknown> {
  if (isTable(value)) return new Map(Object.entries(value));
  if (value !== undefined) spot.refuse(`must be a ${spot.tableWord}, not ${kindOf(value, spot.tableWord)}`);
  return new Map();
}

// All keys are listed while a person can take them in at a glance.
const fewKeys = 12;

function refuseUnknownKey(key: string, known: readonly string[], spot: Spot): void {
  const meant = nearest(key, known);
  const suggestion = meant === undefined ? "" : `; did you mean ${meant}?`;
  const where = spot.keyPath.length === 0 ? "At the top" : `In ${renderKeyPath(spot.keyPath)}`;
  const advice = `${where} the keys are ${known.join(", ")}`;
  spot.below(key).refuseKey(`is not a known key${suggestion}`, known.length <= fewKeys ? advice : undefined);
}
