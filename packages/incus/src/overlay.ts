type Entries = Readonly<Record<string, unknown>>;

/**
 * What a PUT sends: everything that a GET showed with the change in it. Keys of `config` and `devices` are merged, ""
 * and null remove one; every other field is replaced.
 */
export function overlaid(shown: Entries, change: object): Entries {
  const fields = new Map(Object.entries(change));
  for (const name of ["config", "devices"]) {
    if (fields.has(name)) fields.set(name, mergedEntries(shown[name], fields.get(name)));
  }
  return { ...shown, ...Object.fromEntries(fields) };
}

function mergedEntries(base: unknown, over: unknown): Entries {
  const entries = Object.entries({ ...(base as Entries), ...(over as Entries) });
  return Object.fromEntries(entries.filter(([, value]) => value !== "" && value !== null));
}
