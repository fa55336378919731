import * as z from "zod";
import { type Daemon, lookedIn } from "./daemon.ts";
import type { CreateInstance, InstanceState, Instances, Keys } from "./incus.ts";
import type { RefusalCode } from "./incus-failure.ts";
import { changeInstance } from "./instance-change.ts";
import { requireSafeNics } from "./nic-acls.ts";
import { accepted, type Ended, isDone, type Operations } from "./operations.ts";
import { instanceSchema, stateSchema } from "./wire.ts";

interface InstancePorts {
  readonly daemon: Daemon;
  readonly operations: Operations;
}

/** Instances over REST, as `Instances` of the port says. */
export function createInstances({ daemon, operations }: InstancePorts): Instances {
  function setState(name: string, state: object, signal?: AbortSignal): Promise<Ended> {
    return operations.run({ method: "PUT", path: ["instances", name, "state"], body: state }, signal);
  }

  return {
    async list({ where = {}, signal } = {}) {
      const query = { recursion: "1", ...filterOf(where) };
      const seen = await daemon.look(["instances"], z.array(instanceSchema), { query, signal });
      // The filter saves time; what is exact is decided here.
      return (seen?.value ?? []).filter(({ config }) => hasKeys(config, where));
    },
    async get(name, signal) {
      const seen = await daemon.look(["instances", name], instanceSchema, { signal });
      return seen && { ...seen.value, etag: seen.etag };
    },
    async state(name, signal) {
      const path = ["instances", name, "state"];
      const reply = await daemon.ask({ method: "GET", path, signal });
      // While its init is gone and not yet collected, Incus has an error for it.
      if (reply.type === "refused" && reply.refusal.code === "instance-stopping") return stopping;
      return lookedIn(reply, path, stateSchema)?.value;
    },
    async create(request, signal) {
      requireSafeNics(request.devices ?? {});
      const call = { method: "POST", path: ["instances"], body: createBody(request) } as const;
      const ended = await operations.run(call, signal);
      // Only an instance of that name can be busy before this one is there.
      accepted(isRefused(ended, "instance-busy") ? nameTaken(ended) : ended, `create ${request.name}`);
    },
    change: (name, change, etag, signal) =>
      changeInstance({ daemon, operations }, { name, change, etag }, signal),
    async start(name, signal) {
      const ended = await setState(name, { action: "start", timeout: -1 }, signal);
      if (!isRefused(ended, "already-running")) accepted(ended, `start ${name}`);
    },
    async stop(name, how, signal) {
      const force = "force" in how;
      const timeout = force ? -1 : Math.max(1, Math.ceil(how.graceS));
      const ended = await setState(name, { action: "stop", timeout, force }, signal);
      if (isRefused(ended, "stop-too-slow")) return false;
      if (!isRefused(ended, "already-stopped")) accepted(ended, `stop ${name}`);
      return true;
    },
    async rename(name, to, signal) {
      const call = { method: "POST", path: ["instances", name], body: { name: to } } as const;
      accepted(await operations.run(call, signal), `rename ${name} to ${to}`);
    },
    async delete(name, signal) {
      const ended = await operations.run({ method: "DELETE", path: ["instances", name] }, signal);
      return isDone(ended, `delete ${name}`);
    },
  };
}

const stopping: InstanceState = { status: "Stopping", pid: 0, cpuNs: undefined, network: {} };

function createBody({ source, ...request }: CreateInstance): object {
  if (source.type === "image") return { ...request, source };
  const { instance, project } = source;
  // Without its snapshots: a branch is what the source is now.
  const copy = { type: "copy", source: instance, ...(project ? { project } : {}), instance_only: true };
  return { ...request, source: copy };
}

function nameTaken(ended: Ended): Ended {
  if (ended.type !== "refused") return ended;
  return { type: "refused", refusal: { ...ended.refusal, code: "name-taken" } };
}

function isRefused(ended: Ended, code: RefusalCode): boolean {
  return ended.type === "refused" && ended.refusal.code === code;
}

function filterOf(where: Keys): { filter?: string } {
  // Incus reads a value as a pattern: one with other characters is left to the caller's own look.
  const plain = Object.entries(where).filter(([, value]) => /^[A-Za-z0-9_:.-]+$/.test(value));
  const filter = plain.map(([key, value]) => `config.${key} eq ${value}`).join(" and ");
  return filter === "" ? {} : { filter };
}

function hasKeys(config: Keys, where: Keys): boolean {
  return Object.entries(where).every(([key, value]) => config[key] === value);
}
