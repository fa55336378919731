import { expect, it } from "vitest";
import type { IncusEvent } from "../src/incus.ts";
import { describeWithOwnIncus } from "./real-incus.ts";
import { deferred, make, run, seen, sh } from "./world.ts";

describeWithOwnIncus("a daemon that is killed", (bench) => {
  const { incus } = bench;
  const { instances } = incus;
  const away = { outcome: "unavailable" };

  it("X-87 in mid-exec: no wait hangs, the guest lives on, and the same client goes on", {
    timeout: 60_000,
  }, async () => {
    const guest = await make(bench, { start: true });
    const pid = (await instances.state(guest))?.pid;
    const started = deferred();
    const running = incus.exec(guest, {
      command: sh("echo up; exec sleep 6081"),
      onStdout: () => started.resolve(),
    });
    const ended = expect(running).rejects.toMatchObject(away);
    const shown = deferred();
    const request = { command: sh("echo up; exec sleep 6082"), columns: 80, rows: 24 };
    const terminal = await incus.openTerminal(guest, { ...request, onOutput: () => shown.resolve() });
    const hungUp = expect(terminal.ended).rejects.toMatchObject(away);
    await Promise.all([started.promise, shown.promise]);
    bench.kill();
    await Promise.all([ended, hungUp]);
    await expect(instances.get(guest)).rejects.toMatchObject({ ...away, code: "incus-stopped" });
    await bench.start();
    expect((await instances.state(guest))?.pid).toBe(pid);
    expect(await run(incus, guest, { command: ["true"] })).toMatchObject({ exitCode: 0 });
  });

  it("X-87 in mid-operation: the wait ends", { timeout: 60_000 }, async () => {
    const guest = await make(bench, { start: true });
    const stubborn = [
      "systemd-run",
      "-p",
      "TimeoutStopSec=60",
      "sh",
      "-c",
      'trap "" TERM; while :; do sleep 1; done',
    ];
    const boot = "until systemctl is-system-running --wait; do sleep 0.05; done; true";
    await run(incus, guest, { command: sh(boot) });
    await run(incus, guest, { command: stubborn });
    const stopping = expect(instances.stop(guest, { graceS: 50 })).rejects.toMatchObject(away);
    const power = ["systemctl", "is-system-running"];
    await expect.poll(async () => (await run(incus, guest, { command: power })).stdout).toBe("stopping\n");
    bench.kill();
    await stopping;
    await bench.start();
    expect(await instances.stop(guest, { force: true })).toBe(true);
  });

  it("says a gap to who listens, and events again after it", { timeout: 60_000 }, async () => {
    const events: IncusEvent[] = [];
    const stop = new AbortController();
    incus.listen(["lifecycle"], (event) => events.push(event), stop.signal);
    await expect.poll(() => events).toEqual([{ type: "gap" }]);
    bench.kill();
    await bench.start();
    await expect.poll(() => events.filter(({ type }) => type === "gap").length, { timeout: 20_000 }).toBe(2);
    const guest = await make(bench);
    const created = { action: "instance-created", source: `/1.0/instances/${guest}`, project: bench.project };
    await expect.poll(() => events).toContainEqual({ type: "lifecycle", ...created });
    stop.abort();
  });

  it("X-87 trap 10: in mid-copy it leaves a stopped instance that only its stamp tells apart", {
    timeout: 120_000,
  }, async () => {
    // A pool that copies file by file, so that there is a middle.
    await incus.storagePools.create("slow", { driver: "dir", config: {} });
    const source = bench.name();
    const devices = { root: { type: "disk", path: "/", pool: "slow" } };
    const config = { "user.state": "ready", "user.kind": "template" };
    await instances.create({ name: source, source: { type: "image", alias: bench.image }, config, devices });
    const copy = bench.name();
    const stamp = { "user.state": "creating" };
    const copying = instances.create({
      name: copy,
      source: { type: "copy", instance: source },
      config: stamp,
    });
    const ended = expect(copying).rejects.toMatchObject(away);
    await expect.poll(() => instances.get(copy), { interval: 20 }).toBeDefined();
    bench.kill();
    await ended;
    await bench.start();
    const left = await seen(incus, copy);
    expect(left.status).toBe("Stopped");
    expect(left.config).toMatchObject({ "user.state": "creating", "user.kind": "template" });
    // The program that copies outlives the daemon: for a while it adds files to what is being removed.
    await expect.poll(() => instances.delete(copy).catch(() => "again"), { timeout: 30_000 }).toBe(true);
    await instances.delete(source);
    await incus.storagePools.delete("slow");
  });

  it("X-87 says that the pool is full, and leaves no record", { timeout: 120_000 }, async () => {
    await incus.storagePools.create("small", { driver: "btrfs", config: { size: "256MiB" } });
    const name = bench.name();
    const devices = { root: { type: "disk", path: "/", pool: "small" } };
    const creating = instances.create({ name, source: { type: "image", alias: bench.image }, devices });
    const failure = await creating.catch((error: unknown) => error);
    expect(failure).toMatchObject({ outcome: "error", code: "pool-full" });
    expect(await instances.get(name)).toBeUndefined();
    await incus.storagePools.delete("small");
  });
});
