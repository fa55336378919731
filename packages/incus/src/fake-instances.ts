import { Failure } from "@agent-control/base";
import type { Calls } from "./fake-calls.ts";
import type { FakeInstance } from "./fake-instance.ts";
import { type FakeStore, no } from "./fake-store.ts";
import type { CreateInstance, InstanceState, Instances } from "./incus.ts";
import { requireSafeNics } from "./nic-acls.ts";

export interface FakeInstancePorts {
  readonly store: FakeStore;
  readonly calls: Calls;
  readonly onLifecycle: (action: string, name: string) => void;
}

/** Instances in memory, as `Instances` of the port says. */
export function createFakeInstances(ports: FakeInstancePorts): Instances {
  const { store, calls, onLifecycle } = ports;
  const { instances } = store;
  return {
    list: ({ where = {}, signal } = {}) =>
      calls.run("instances.list", "", {
        signal,
        body: () =>
          [...instances.keys()]
            .flatMap((name) => store.show(name) ?? [])
            .map(({ etag: _, ...seen }) => seen)
            .filter(({ config }) => Object.entries(where).every(([key, value]) => config[key] === value)),
      }),
    get: (name, signal) => calls.run("instances.get", name, { signal, body: () => store.show(name) }),
    state: (name, signal) =>
      calls.run("instances.state", name, { signal, body: () => stateOf(instances.get(name)) }),
    create: (request, signal) =>
      calls.run("instances.create", request.name, { signal, body: () => create(ports, request) }),
    change: (name, change, etag, signal) => {
      requireSafeNics(change.devices ?? {});
      return calls.run("instances.change", name, { signal, body: () => store.change(name, change, etag) });
    },
    start: (name, signal) =>
      calls.run("instances.start", name, {
        signal,
        body: () => {
          const instance = store.require(name);
          if (instance.status !== "Running") store.setRunning(instance, true);
        },
      }),
    stop: (name, _, signal) =>
      calls.run("instances.stop", name, {
        signal,
        body: () => {
          const instance = store.require(name);
          if (instance.status !== "Stopped") store.setRunning(instance, false);
          return true;
        },
      }),
    rename: (name, to, signal) =>
      calls.run("instances.rename", name, { signal, body: () => store.rename(store.require(name), to) }),
    delete: (name, signal) =>
      calls.run("instances.delete", name, {
        signal,
        body: () => {
          if (!instances.has(name)) return false;
          if (store.require(name).status !== "Stopped") throw no("instance-running", name);
          onLifecycle("instance-deleted", name);
          return instances.delete(name);
        },
      }),
  };
}

async function create(
  { store, calls, onLifecycle }: FakeInstancePorts,
  request: CreateInstance,
): Promise<void> {
  requireSafeNics(request.devices ?? {});
  const instance = store.begin(request);
  const { name } = request;
  try {
    await calls.tell({ name: "instances.create", subject: name, phase: "during" });
  } catch (error) {
    // A daemon that dies leaves what it had made; one that says no removes it.
    if (!(error instanceof Failure && error.outcome === "unavailable")) store.instances.delete(name);
    throw error;
  } finally {
    instance.busy = undefined;
  }
  onLifecycle("instance-created", name);
  if (request.start === true) store.setRunning(instance, true);
}

function stateOf(instance: FakeInstance | undefined): InstanceState | undefined {
  if (instance === undefined) return undefined;
  const { status, pid, cpuNs, devices } = instance;
  if (pid === 0) return { status, pid, cpuNs: undefined, network: {} };
  const nics = Object.entries(devices).filter(([, { type }]) => type === "nic");
  const network = nics.map(([name, device]) => [name, nicOf(device["ipv4.address"])] as const);
  return { status, pid, cpuNs, network: Object.fromEntries(network) };
}

function nicOf(address: string | undefined) {
  const addresses = address ? [{ family: "inet", address, scope: "global" }] : [];
  return { addresses, bytesReceived: 0, bytesSent: 0 };
}
