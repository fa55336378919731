import { Failure } from "@agent-control/base";
import type { Act, Calls } from "./fake-calls.ts";
import type { FakeInstance } from "./fake-instance.ts";
import { type FakeStore, no } from "./fake-store.ts";
import type { CreateInstance, InstanceSeen, InstanceState, Instances, Keys } from "./incus.ts";
import { requireName } from "./name.ts";
import { requireSafeNics } from "./nic-acls.ts";

export interface FakeInstancePorts {
  readonly store: FakeStore;
  readonly calls: Calls;
  readonly onLifecycle: (action: string, name: string) => void;
}

/** Instances in memory, as `Instances` of the port says. */
export function createFakeInstances(ports: FakeInstancePorts): Instances {
  const { store, calls } = ports;
  const { instances } = store;

  async function run<T>(verb: string, name: string, act: Act<T>): Promise<T> {
    requireName(name);
    return calls.run(`instances.${verb}`, name, act);
  }

  return {
    list: ({ where = {}, signal } = {}) =>
      calls.run("instances.list", "", { signal, body: () => list(store, where) }),
    get: (name, signal) => run("get", name, { signal, body: () => store.show(name) }),
    state: (name, signal) => run("state", name, { signal, body: () => stateOf(instances.get(name)) }),
    create: (request, signal) => run("create", request.name, { signal, body: () => create(ports, request) }),
    async change(name, change, etag, signal) {
      requireSafeNics(change.devices ?? {});
      return run("change", name, { signal, body: () => store.change(name, change, etag) });
    },
    start: (name, signal) => run("start", name, { signal, body: () => start(store, name) }),
    stop: (name, _, signal) => run("stop", name, { signal, body: () => stop(store, name) }),
    rename: (name, to, signal) =>
      run("rename", name, { signal, body: () => store.rename(store.require(name), to) }),
    delete: (name, signal) => run("delete", name, { signal, body: () => remove(ports, name) }),
  };
}

function list(store: FakeStore, where: Keys): readonly InstanceSeen[] {
  return [...store.instances.keys()]
    .flatMap((name) => store.show(name) ?? [])
    .map(({ etag: _, ...seen }) => seen)
    .filter(({ config }) => Object.entries(where).every(([key, value]) => config[key] === value));
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

function start(store: FakeStore, name: string): void {
  const instance = store.require(name);
  if (instance.status !== "Running") store.setRunning(instance, true);
}

function stop(store: FakeStore, name: string): boolean {
  const instance = store.require(name);
  if (instance.status !== "Stopped") store.setRunning(instance, false);
  return true;
}

function remove({ store, onLifecycle }: FakeInstancePorts, name: string): boolean {
  if (!store.instances.has(name)) return false;
  if (store.require(name).status !== "Stopped") throw no("instance-running", name);
  store.instances.delete(name);
  onLifecycle("instance-deleted", name);
  return true;
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
