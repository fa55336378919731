type Entries = Readonly<Record<string, unknown>>;

/**
 * What a PUT sends: everything that a GET showed with the change in it. Keys of `config` and `devices` are merged, ""
 * and null remove one; every other field is replaced.
 */
export function overlaid(shown: object, change: object): Entries {
  const base = new Map<string, unknown>(Object.entries(shown));
  for (const [name, value] of Object.entries(change)) {
    const isMap = name === "config" || name === "devices";
    base.set(name, isMap ? mergedEntries(base.get(name), value) : value);
  }
  return Object.fromEntries(base);
}

function mergedEntries(base: unknown, over: unknown): Entries {
  const entries = Object.entries({ ...(base as Entries), ...(over as Entries) });
  return Object.fromEntries(entries.filter(([, value]) => value !== "" && value !== null));
}
