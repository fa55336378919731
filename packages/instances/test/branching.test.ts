import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBranching } from "../src/create-branching.ts";
import { readStamp, stampConfig } from "../src/stamp.ts";
import { createTemplateLock } from "../src/template-lock.ts";
import { templateParts } from "../src/template-swap.ts";
import type { Template } from "../src/templates.ts";
import { incusSocket, openWorld, type RealWorld } from "./branching-world.ts";
import { readyTemplate } from "./ready-template.ts";

describe.skipIf(incusSocket === undefined)("on a real Incus", () => {
  let world: RealWorld;
  let template: Template;
  beforeAll(async () => {
    world = await openWorld(incusSocket ?? "");
    template = await readyTemplate(world, { name: "tpl-ready" });
  }, 60_000);
  afterAll(() => world.end(), 60_000);

  const branch = (name: string, more: Partial<Parameters<typeof world.branching.branch>[0]> = {}) =>
    world.branching.branch({ name, from: { template }, stamp: {}, ...more });
  const names = async () => (await world.incus.instances.list()).map(({ name }) => name).sort();
  const stampOf = async (name: string) => readStamp((await world.incus.instances.get(name))?.config ?? {});

  it("X-07 gives a running copy with its own address and stamp, and nothing of the template's", async () => {
    const name = world.unique("b1");
    const steps: string[] = [];
    const stamp = stampConfig({ mcpOwner: world.owner, state: "creating" });
    const branched = await branch(name, { stamp, onStep: (text) => steps.push(text) });
    expect(await stampOf(name)).toEqual({
      type: "branch",
      profile: template.name,
      parent: template.name,
      created: expect.stringMatching(/^\d{4}-.*Z$/),
      network: "full",
      address: branched.address,
      workdir: "/home/agentuser",
      owner: world.owner,
      mcpOwner: world.owner,
      state: "creating",
    });
    expect(branched).toEqual({ name, address: expect.stringMatching(/^10\./), workdir: "/home/agentuser" });
    expect(steps).toEqual(["copying tpl-ready", "waiting until it is usable"]);
    const state = await world.incus.instances.state(name);
    expect(state?.network["eth0"]?.addresses.map(({ address }) => address)).toContain(branched.address);
    const { stdout } = await world.guest.exec(name, { command: "resolvectl dns eth0", maxOutputBytes: 1000 });
    expect(stdout.text).toContain(world.host.full.gateway);
    await world.discard(name);
  });

  it("X-07 names the bridge as resolver where the image has a resolv.conf of its own", async () => {
    const own = await readyTemplate(world, { name: "tpl-own-resolver", resolver: "nameserver 192.0.2.53\n" });
    const name = world.unique("r1");
    await world.branching.branch({ name, from: { template: own }, stamp: {} });
    const file = await world.incus.files.read(name, "/etc/resolv.conf", { limit: 1000 });
    if (file?.kind !== "file") throw new Error("it was a file");
    expect(Buffer.from(file.bytes).toString()).toBe(`nameserver ${world.host.full.gateway}\n`);
    await world.discard(name);
  });

  it.each<[string, { name?: string; instance?: string; template?: string }, string]>([
    ["a name that is taken", { name: "tpl-ready" }, "name-taken"],
    ["a name that no host can have", { name: "a_b" }, "name-invalid"],
    ["a template that is not built", { template: "tpl-minimal" }, "template-not-built"],
    ["an instance that is not there", { instance: "tpl-redy" }, "instance-missing"],
  ])("X-07 refuses %s before it does anything", async (_, asked, code) => {
    const before = await names();
    const wanted = asked.template ? (await world.templates.all()).require(asked.template) : template;
    const from = asked.instance ? { instance: asked.instance, template } : { template: wanted };
    const request = branch(asked.name ?? world.unique("no"), { from });
    await expect(request).rejects.toMatchObject({ outcome: "refused", code });
    expect(await names()).toEqual(before);
  });

  it("X-07 refuses when the host has no network for it, and an instance needs none when airgapped", async () => {
    const elsewhere = createBranching({
      ...world.machine,
      ...world,
      names: { ...world.names, full: "isxnone" },
    });
    const name = world.unique("n1");
    const request = elsewhere.branch({ name, from: { template }, stamp: {} });
    await expect(request).rejects.toMatchObject({ code: "host-not-prepared" });
    expect(await names()).not.toContain(name);
    const made = await elsewhere.branch({
      name,
      from: { template },
      stamp: {},
      network: "airgap",
      start: false,
    });
    expect(made.address).toBeUndefined();
    await world.discard(name);
  });

  it("X-14 refuses an image that was built from a project's own definition of the name", async () => {
    const foreign = await readyTemplate(world, { name: "tpl-foreign", projectLocal: true });
    expect(foreign.projectLocal).toBe(false);
    const request = world.branching.branch({
      name: world.unique("f1"),
      from: { template: foreign },
      stamp: {},
    });
    await expect(request).rejects.toMatchObject({ code: "template-foreign" });
    expect((await world.branching.built()).get("tpl-foreign")).toMatchObject({ projectLocal: true });
  });

  it("X-07 copies a stopped instance without its stamps, grant and address, and refuses a running one", async () => {
    const source = world.unique("s1");
    const stamp = stampConfig({
      grant: "0123",
      session: "1-2-abc",
      purpose: "p",
      kept: "2026-01-01T00:00:00Z",
    });
    const first = await branch(source, {
      stamp,
      network: "proxy-only",
      limits: { cpu: 1, memory: "512MiB" },
    });
    const fork = world.unique("s2");
    const from = { instance: source, template };
    await expect(branch(fork, { from })).rejects.toMatchObject({ code: "instance-not-stopped" });
    await world.incus.instances.stop(source, { force: true });
    const second = await branch(fork, { from, stamp: stampConfig({ session: "9-9-def" }) });
    expect(await stampOf(fork)).toEqual({
      type: "branch",
      profile: template.name,
      parent: source,
      created: expect.any(String),
      network: "proxy-only",
      address: second.address,
      workdir: "/home/agentuser",
      owner: world.owner,
      session: "9-9-def",
    });
    expect(second.address).not.toBe(first.address);
    const copy = await world.incus.instances.get(fork);
    expect(copy?.config).toMatchObject({ "limits.cpu": "1", "limits.memory": "512MiB" });
    expect(copy?.devices["eth0"]?.["ipv4.address"]).toBe(second.address);
    for (const name of [source, fork]) await world.discard(name);
  });

  it("X-52 takes every NIC away when airgapped, whichever it has by profile or by itself", async () => {
    const two = await readyTemplate(world, { name: "tpl-two-nics", nics: ["eth1"] });
    const name = world.unique("a1");
    const branched = await world.branching.branch({
      name,
      from: { template: two },
      stamp: {},
      network: "airgap",
    });
    expect(branched.address).toBeUndefined();
    const seen = await world.incus.instances.get(name);
    const nics = Object.values(seen?.expandedDevices ?? {}).filter(({ type }) => type === "nic");
    expect(nics).toEqual([]);
    const { stdout } = await world.guest.exec(name, { command: "ls /sys/class/net", maxOutputBytes: 1000 });
    expect(stdout.text.trim()).toBe("lo");
    await world.discard(name);
  });

  it("X-07 leaves no instance behind when it is cancelled or its guest does not come up", async () => {
    const cancelled = new AbortController();
    const name = world.unique("c1");
    const request = branch(name, { signal: cancelled.signal, onStep: () => cancelled.abort() });
    await expect(request).rejects.toMatchObject({ outcome: "cancelled" });
    const waiting = new AbortController();
    const late = branch(name, {
      signal: waiting.signal,
      onStep: (text) => text.startsWith("waiting") && waiting.abort(),
    });
    await expect(late).rejects.toMatchObject({ outcome: "cancelled" });
    const dead = createBranching({
      ...world.machine,
      ...world,
      guest: {
        waitForBoot: async () => {
          throw new Error("it never boots");
        },
      },
    });
    await expect(dead.branch({ name, from: { template }, stamp: {} })).rejects.toThrow("it never boots");
    expect(await names()).not.toContain(name);
  });

  it("X-07 lets only one of two that want the same name have it, and the other removes nothing", async () => {
    const name = world.unique("w1");
    const both = await Promise.allSettled([branch(name), branch(name)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const lost = both.find((each) => each.status === "rejected");
    expect(lost?.reason).toMatchObject({ code: "name-taken", outcome: "refused" });
    expect(await stampOf(name)).toMatchObject({ type: "branch" });
    await world.discard(name);
  });

  it("X-83 branches from a template whose swap was interrupted, after putting it in place", async () => {
    const half = await readyTemplate(world, { name: "tpl-half" });
    await world.incus.instances.rename("tpl-half", templateParts.replaced("tpl-half"));
    expect((await world.branching.built()).has("tpl-half")).toBe(true);
    await world.incus.instances.rename("tpl-half", templateParts.rebuilding("tpl-half"));
    const name = world.unique("h1");
    await world.branching.branch({ name, from: { template: half }, stamp: {}, start: false });
    expect(await names()).toContain("tpl-half");
    await world.discard(name);
  });

  it("X-07 keeps a template from being swapped while it is copied, #1212", async () => {
    const { instances } = world.incus;
    const lock = createTemplateLock({ ...world.machine, directory: world.lockDirectory });
    let refusedSwaps = 0;
    const create = async (request: Parameters<typeof instances.create>[0]) => {
      const swap = lock.write(template.name, { waitMs: 50 }, async () => undefined);
      await expect(swap).rejects.toMatchObject({ code: "busy" });
      refusedSwaps += 1;
      await instances.create(request);
    };
    const incus = { ...world.incus, instances: { ...instances, create } };
    const name = world.unique("l1");
    const copying = createBranching({ ...world.machine, ...world, incus });
    await copying.branch({ name, from: { template }, stamp: {}, start: false });
    expect(refusedSwaps).toBe(1);
    expect(await lock.write(template.name, { waitMs: 50 }, async () => "free")).toBe("free");
    await world.discard(name);
  });

  it("X-07 refuses a copy of an instance that is started meanwhile, and leaves none", async () => {
    const source = world.unique("m1");
    await branch(source, { start: false });
    const { instances } = world.incus;
    const copyAndStart = {
      ...instances,
      create: async (request: Parameters<typeof instances.create>[0]) => {
        await instances.create(request);
        await instances.start(source);
      },
    };
    const incus = { ...world.incus, instances: copyAndStart };
    const racing = createBranching({ ...world.machine, ...world, incus });
    const name = world.unique("m2");
    const request = racing.branch({ name, from: { instance: source, template }, stamp: {} });
    await expect(request).rejects.toMatchObject({ code: "source-changed", outcome: "refused" });
    expect(await names()).not.toContain(name);
    await world.discard(source);
  });

  it("X-51 gives 20 branches at once 20 addresses, each of them on its own interface", async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => branch(world.unique(`p${index}`))),
    );
    expect(new Set(all.map(({ address }) => address)).size).toBe(20);
    for (const { name, address } of all) {
      expect((await world.incus.instances.get(name))?.devices["eth0"]?.["ipv4.address"]).toBe(address);
    }
    await Promise.all(all.map(({ name }) => world.discard(name)));
  }, 60_000);
});
