import type { Clock } from "@agent-control/base";
import { createCalls, type FakeCalls } from "./fake-calls.ts";
import { createFakeExec, type FakeProgram, type FakeRun } from "./fake-exec.ts";
import { createFakeFiles } from "./fake-files.ts";
import { createFakeImages, fakeFingerprint } from "./fake-images.ts";
import { createFakeInstances } from "./fake-instances.ts";
import { createFakeKinds } from "./fake-kinds.ts";
import { createFakeStore } from "./fake-store.ts";
import type { Incus, IncusEvent, Lease, ServerSeen } from "./incus.ts";

export interface FakeIncusOptions {
  readonly clock: Clock;
  /** "default" when left out. */
  readonly project?: string;
  /** Aliases of the images that are there; ["base"] when left out. */
  readonly images?: readonly string[];
  /** Runs for every `exec`; without it an exec is a mistake of the test. */
  readonly program?: FakeProgram;
  /** Runs for every `openTerminal`. */
  readonly openTerminal?: Incus["openTerminal"];
}

export interface FakeIncus extends Incus, FakeCalls {
  /** Sets what the machine alone decides: a status such as "Frozen", or the CPU time used. */
  set(name: string, facts: { readonly status?: string; readonly cpuNs?: number }): void;
  /** The leases of every network. */
  readonly leases: Lease[];
  /** Says an event, or a gap, to all who listen. */
  emit(event: IncusEvent): void;
}

/** A daemon in memory: one project on a machine with the network "br0" and the pool "default". */
export function fakeIncus(options: FakeIncusOptions): FakeIncus {
  const { clock, project = "default" } = options;
  const calls = createCalls();
  const listeners = new Set<(event: IncusEvent) => void>();
  const emit = (event: IncusEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const onLifecycle = (action: string, name: string) =>
    emit({ type: "lifecycle", action, project, source: `/1.0/instances/${name}` });

  const images = new Map((options.images ?? ["base"]).map((alias) => [alias, fakeFingerprint(alias)]));
  const kinds = createFakeKinds(calls, project);
  const store = createFakeStore({ clock, project, images, profiles: kinds.profileMap, onLifecycle });
  const { profileMap: _, ...named } = kinds;
  return {
    ...calls,
    ...named,
    emit,
    set(name, facts) {
      Object.assign(store.require(name), facts);
    },
    setAway(away) {
      calls.setAway(away);
      if (away === undefined) emit({ type: "gap" });
    },
    server: (signal) => calls.run("server", "", { signal, body: () => serverOf(project) }),
    instances: createFakeInstances({ store, calls, onLifecycle }),
    files: createFakeFiles({ store, calls }),
    images: createFakeImages({ calls, images }),
    exec: createFakeExec({ calls, store, program: options.program ?? noProgram }),
    openTerminal: options.openTerminal ?? noTerminal,
    listen: (_types, listener, signal) => {
      if (signal.aborted) return;
      listeners.add(listener);
      signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
      queueMicrotask(() => listener({ type: "gap" }));
    },
    close: () => {},
  };
}

function serverOf(project: string): ServerSeen {
  return { version: "6.0.4", trusted: true, storageDrivers: ["btrfs", "dir"], project, apiExtensions: [] };
}

function noProgram({ request }: FakeRun): never {
  throw new Error(`fakeIncus: no program for ${request.command.join(" ")}`);
}

function noTerminal(): never {
  throw new Error("fakeIncus: terminals are not modelled without `openTerminal`");
}
