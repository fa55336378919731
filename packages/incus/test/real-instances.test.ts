import { fakeClock } from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { createIncus } from "../src/create-incus.ts";
import { describeWithIncus } from "./real-incus.ts";
import { deferred, make, run, seen, sh } from "./world.ts";

describeWithIncus("instances of a real Incus", (bench) => {
  const { incus } = bench;
  const { instances, files } = incus;

  it("X-87 trap 8: says that the grace was not enough, and then stops by force", {
    timeout: 60_000,
  }, async () => {
    const name = await make(bench, { start: true });
    const boot = "until systemctl is-system-running --wait; do sleep 0.05; done; true";
    await run(incus, name, { command: sh(boot) });
    const stubborn = 'trap "" TERM; while :; do sleep 1; done';
    const unit = ["systemd-run", "--unit=stubborn", "-p", "TimeoutStopSec=60", "sh", "-c", stubborn];
    expect((await run(incus, name, { command: unit })).exitCode).toBe(0);
    expect(await instances.stop(name, { graceS: 2 })).toBe(false);
    expect(await instances.stop(name, { force: true })).toBe(true);
    expect((await seen(incus, name)).status).toBe("Stopped");
  });

  it("shows a stop that goes on, never an error", async () => {
    const name = await make(bench, { start: true });
    let isOver = false;
    const stopping = instances.stop(name, { force: true }).finally(() => {
      isOver = true;
    });
    const statuses = new Set<string | undefined>();
    while (!isOver) statuses.add((await instances.state(name))?.status);
    await stopping;
    for (const status of statuses) expect(["Running", "Stopping", "Stopped"]).toContain(status);
  });

  it("X-87 trap 12: a delete asks for no ETag, so a claim by ETag goes before it", async () => {
    const name = await make(bench);
    const { etag } = await seen(incus, name);
    const claim = (by: string) => instances.change(name, { config: { "user.claim": by } }, etag);
    expect(await Promise.all([claim("a"), claim("b")])).toEqual(expect.arrayContaining([true, false]));
    expect(await instances.delete(name)).toBe(true);
  });

  it("ends the wait for a create that is cancelled, whatever becomes of it", async () => {
    const stop = new AbortController();
    const name = bench.name();
    const source = { type: "image", alias: bench.image } as const;
    const creating = instances.create({ name, source, start: true }, stop.signal);
    while ((await instances.get(name)) === undefined);
    stop.abort();
    await expect(creating).rejects.toMatchObject({ outcome: "cancelled" });
  });

  it("X-87 gives up on a FIFO in the guest", async () => {
    const name = await make(bench, { start: true });
    await run(incus, name, { command: ["mkfifo", "/root/fifo"] });
    const stop = new AbortController();
    const reading = files.read(name, "/root/fifo", { limit: 10, signal: stop.signal });
    stop.abort();
    await expect(reading).rejects.toMatchObject({ outcome: "cancelled" });
    const clock = fakeClock();
    const hasty = createIncus({ socketPath: bench.socketPath, project: bench.project, clock });
    const stuck = expect(hasty.files.read(name, "/root/fifo", { limit: 10 })).rejects.toMatchObject({
      code: "guest-file-stuck",
    });
    await clock.advance(60_000);
    await stuck;
    hasty.close();
  });

  it("X-87 trap 13: a read beside overwrites is whole, cut short, or a Failure, and never hangs", async () => {
    const name = await make(bench, { start: true });
    const owner = { mode: 0o600, uid: 0, gid: 0 };
    const write = (fill: string) => files.write(name, "/root/torn", fill.repeat(1_000_000), owner);
    await write("a");
    const writing = (async () => {
      for (let round = 0; round < 5; round += 1) await write(round % 2 ? "a" : "b");
    })();
    const reads = await Promise.allSettled(
      Array.from({ length: 20 }, () => files.read(name, "/root/torn", { limit: 2_000_000 })),
    );
    await writing;
    for (const read of reads) {
      if (read.status === "rejected") expect(read.reason).toMatchObject({ code: "incus-unreachable" });
      else expect(read.value).toMatchObject({ kind: "file" });
    }
  });

  it("works on files of a running guest, in memory too, and with 64 MiB", { timeout: 60_000 }, async () => {
    const name = await make(bench, { start: true });
    const owner = { mode: 0o644, uid: 1000, gid: 1000 };
    const big = Buffer.alloc(64 * 1024 * 1024, "0123456789abcdef");
    await files.write(name, "/run/big", big, owner);
    const sum = await run(incus, name, { command: ["stat", "-c", "%s %u %a", "/run/big"] });
    expect(sum.stdout).toBe(`${big.length} 1000 644\n`);
    const read = await files.read(name, "/run/big", { limit: big.length });
    expect(read?.kind === "file" && big.equals(read.bytes)).toBe(true);
  });

  it("says what the project is called when it does not exist", async () => {
    const lost = createIncus({ ...bench, project: "no-such-project", clock: fakeClock() });
    await expect(lost.instances.get("web")).rejects.toMatchObject({ code: "project-missing" });
    lost.close();
  });

  it("hears the operations of others", async () => {
    const stop = new AbortController();
    const heard = deferred();
    const began = deferred();
    incus.listen(
      ["operation"],
      (event) => {
        if (event.type === "gap") began.resolve();
        if (event.type === "operation" && event.metadata["return"] === 9) heard.resolve();
      },
      stop.signal,
    );
    await began.promise;
    const name = await make(bench, { start: true });
    expect(await run(incus, name, { command: sh("exit 9") })).toMatchObject({ exitCode: 9 });
    await heard.promise;
    stop.abort();
  });
});
