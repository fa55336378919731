import type { Calls } from "./fake-calls.ts";
import { etagOf } from "./fake-instance.ts";
import { no } from "./fake-store.ts";
import type { Named } from "./incus.ts";
import { overlaid } from "./overlay.ts";

export interface FakeKind<Seen, Fields> {
  /** As on the port: "networks". */
  readonly collection: string;
  readonly things: Map<string, Seen>;
  readonly calls: Calls;
  /** The thing that a create makes. */
  readonly made: (name: string, fields: Fields) => Seen;
}

/** Things of one kind in memory, as `Named` of the port says. */
export function createFakeNamed<Seen extends object, Fields extends object>(
  kind: FakeKind<Seen, Fields>,
): Named<Seen, Fields> {
  const { collection, things, calls, made } = kind;
  const run = <T>(verb: string, name: string, body: () => T, signal: AbortSignal | undefined) =>
    calls.run(`${collection}.${verb}`, name, { body, signal });
  return {
    list: (signal) => run("list", "", () => [...things.values()], signal),
    get: (name, signal) =>
      run(
        "get",
        name,
        () => {
          const thing = things.get(name);
          return thing && { ...thing, etag: etagOf(thing) };
        },
        signal,
      ),
    create: (name, fields, signal) =>
      run(
        "create",
        name,
        () => {
          if (things.has(name)) throw no("name-taken", name);
          things.set(name, made(name, fields));
        },
        signal,
      ),
    change: (name, change, etag, signal) =>
      run(
        "change",
        name,
        () => {
          const thing = things.get(name);
          if (thing === undefined || etagOf(thing) !== etag) return false;
          things.set(name, overlaid(thing, change) as Seen);
          return true;
        },
        signal,
      ),
    delete: (name, signal) => run("delete", name, () => things.delete(name), signal),
  };
}
