import type { Clock } from "@agent-control/base";
import { type FakeInstance, inheritedKeys, mergedInto, shown } from "./fake-instance.ts";
import { createFakeTree } from "./fake-tree.ts";
import type { CreateInstance, InstanceAt, InstanceChange, ProfileFields } from "./incus.ts";
import { type RefusalCode, refused } from "./incus-failure.ts";

export interface StoreOptions {
  readonly clock: Clock;
  readonly project: string;
  /** Fingerprints by alias. */
  readonly images: ReadonlyMap<string, string>;
  readonly profiles: ReadonlyMap<string, ProfileFields>;
  readonly onLifecycle: (action: string, name: string) => void;
}

/** The instances of the fake daemon and what may be done to them, each in one piece. */
export interface FakeStore {
  readonly instances: Map<string, FakeInstance>;
  /** Throws `instance-not-found`, or `instance-busy` while an operation runs on it. */
  require(name: string): FakeInstance;
  /** Throws `instance-not-running` besides. */
  requireRunning(name: string): FakeInstance;
  show(name: string): InstanceAt | undefined;
  /** Makes it, stopped and busy. */
  begin(request: CreateInstance): FakeInstance;
  change(name: string, change: InstanceChange, etag: string): boolean;
  setRunning(instance: FakeInstance, isRunning: boolean): void;
  rename(instance: FakeInstance, to: string): void;
}

export function createFakeStore(options: StoreOptions): FakeStore {
  const { clock, profiles, onLifecycle } = options;
  const instances = new Map<string, FakeInstance>();
  let pids = 1000;

  function require(name: string): FakeInstance {
    const instance = instances.get(name);
    if (instance === undefined) throw no("instance-not-found", name);
    if (instance.busy !== undefined) throw no("instance-busy", name);
    return instance;
  }

  function show(name: string): InstanceAt | undefined {
    const instance = instances.get(name);
    return instance && shown(instance, profiles);
  }

  return {
    instances,
    require,
    show,
    requireRunning(name) {
      const instance = require(name);
      if (instance.status === "Frozen") throw no("instance-frozen", name);
      if (instance.status !== "Running") throw no("instance-not-running", name);
      return instance;
    },
    begin(request) {
      const { name } = request;
      if (instances.has(name)) throw no("name-taken", name);
      if (!/^[a-z][a-z0-9-]{0,62}$/i.test(name)) throw no("incus-refused", name);
      const instance = { ...newInstance(clock, name), ...contentOf(request, options, instances) };
      instances.set(name, instance);
      return instance;
    },
    change(name, change, etag) {
      if (show(name)?.etag !== etag) return false;
      const instance = require(name);
      instance.config = mergedInto(instance.config, change.config ?? {});
      instance.devices = mergedInto(instance.devices, change.devices ?? {});
      instance.profiles = change.profiles ?? instance.profiles;
      onLifecycle("instance-updated", name);
      return true;
    },
    setRunning(instance, isRunning) {
      const power = isRunning ? "RUNNING" : "STOPPED";
      instance.config = mergedInto(instance.config, { "volatile.last_state.power": power });
      instance.status = isRunning ? "Running" : "Stopped";
      if (isRunning) pids += 1;
      instance.pid = isRunning ? pids : 0;
      instance.stopping.abort();
      instance.stopping = new AbortController();
      if (!isRunning) instance.files.reboot();
      onLifecycle(isRunning ? "instance-started" : "instance-stopped", instance.name);
    },
    rename(instance, to) {
      if (instances.has(to)) throw no("name-taken", to);
      if (instance.status !== "Stopped") throw no("instance-running", instance.name);
      instances.delete(instance.name);
      instances.set(to, instance);
      instance.name = to;
      onLifecycle("instance-renamed", to);
    },
  };
}

type Content = Pick<FakeInstance, "config" | "devices" | "profiles" | "files">;

function contentOf(
  request: CreateInstance,
  options: StoreOptions,
  instances: ReadonlyMap<string, FakeInstance>,
): Content {
  const { source, name, config = {}, devices = {} } = request;
  if (source.type === "image") {
    const isThere =
      "alias" in source
        ? options.images.has(source.alias)
        : [...options.images.values()].includes(source.fingerprint);
    if (!isThere) throw no("image-missing", name);
    const profiles = request.profiles ?? ["default"];
    return {
      config: mergedInto({}, config),
      devices: mergedInto({}, devices),
      profiles,
      files: createFakeTree(),
    };
  }
  if (source.project !== undefined && source.project !== options.project) {
    throw new Error("fakeIncus: a copy from another project is not modelled");
  }
  const copied = instances.get(source.instance);
  if (copied === undefined) throw no("instance-not-found", source.instance);
  return {
    config: mergedInto(inheritedKeys(copied.config), config),
    devices: mergedInto(copied.devices, devices),
    profiles: request.profiles ?? copied.profiles,
    files: copied.files.copy(),
  };
}

function newInstance(clock: Clock, name: string) {
  const createdAt = new Date(clock.now()).toISOString();
  const stopping = new AbortController();
  return { name, status: "Stopped", createdAt, pid: 0, cpuNs: 0, busy: "create", stopping };
}

/** The Failure of a refusal, as the real daemon's would be. */
export function no(code: RefusalCode, name: string) {
  return refused({ code, said: "" }, `use ${name}`);
}
