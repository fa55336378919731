import type { Act, Calls } from "./fake-calls.ts";
import { etagOf } from "./fake-instance.ts";
import { no } from "./fake-store.ts";
import type { Named } from "./incus.ts";
import { requireName } from "./name.ts";
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

  function get(name: string) {
    const thing = things.get(name);
    return thing && { ...thing, etag: etagOf(thing) };
  }

  function create(name: string, fields: Fields): void {
    if (things.has(name)) throw no("name-taken", name);
    things.set(name, made(name, fields));
  }

  function change(name: string, changed: Partial<Fields>, etag: string): boolean {
    const thing = things.get(name);
    if (thing === undefined || etagOf(thing) !== etag) return false;
    things.set(name, overlaid(thing, changed) as Seen);
    return true;
  }

  async function run<T>(verb: string, name: string, act: Act<T>): Promise<T> {
    requireName(name);
    return calls.run(`${collection}.${verb}`, name, act);
  }

  return {
    list: (signal) => calls.run(`${collection}.list`, "", { signal, body: () => [...things.values()] }),
    get: (name, signal) => run("get", name, { signal, body: () => get(name) }),
    create: (name, fields, signal) => run("create", name, { signal, body: () => create(name, fields) }),
    change: (name, changed, etag, signal) =>
      run("change", name, { signal, body: () => change(name, changed, etag) }),
    delete: (name, signal) => run("delete", name, { signal, body: () => things.delete(name) }),
  };
}
