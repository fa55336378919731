import { beforeAll, expect, it } from "vitest";
import { describeWithIncus } from "./real-incus.ts";
import { deferred, make, run, sh } from "./world.ts";

describeWithIncus("exec in a real guest", (bench) => {
  const { incus } = bench;
  let guest: string;
  beforeAll(async () => {
    guest = await make(bench, { start: true });
  });

  it("X-16 reads 1 GiB of output in flat memory", { timeout: 120_000 }, async () => {
    let bytes = 0;
    let most = 0;
    const before = process.memoryUsage().rss;
    const onStdout = (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes % (16 * 1024 * 1024) < chunk.length) most = Math.max(most, process.memoryUsage().rss);
    };
    const begun = performance.now();
    const command = ["head", "-c", "1073741824", "/dev/zero"];
    expect(await incus.exec(guest, { command, onStdout })).toEqual({ exitCode: 0 });
    const seconds = (performance.now() - begun) / 1000;
    const growth = (most - before) / 1024 / 1024;
    console.info(`1 GiB in ${seconds.toFixed(1)} s, ${growth.toFixed(0)} MiB more resident at most`);
    expect(bytes).toBe(1_073_741_824);
    expect(growth).toBeLessThan(128);
  });

  it("X-16 holds the guest back while the reader does not read", async () => {
    const release = deferred();
    const held = deferred();
    let bytes = 0;
    const written = "/run/isx-written";
    const script = `i=0; while [ $i -lt 400 ]; do head -c 65536 /dev/zero; i=$((i+1)); echo $i > ${written}; done`;
    const running = incus.exec(guest, {
      command: sh(script),
      onStdout: async (chunk) => {
        bytes += chunk.length;
        held.resolve();
        await release.promise;
      },
    });
    await held.promise;
    // It has stopped once two looks, each an exec that takes its time, show the same count.
    const look = async () =>
      (await run(incus, guest, { command: sh(`sleep 0.2; cat ${written} || true`) })).stdout;
    let count = await look();
    for (let next = await look(); next !== count; next = await look()) count = next;
    expect(Number(count)).toBeLessThan(64);
    release.resolve();
    expect(await running).toEqual({ exitCode: 0 });
    expect(bytes).toBe(400 * 65_536);
  });

  it("X-87 trap 3: says that arguments too long in all could not be passed", async () => {
    const command = ["true", ...Array.from({ length: 100 }, () => "x".repeat(100_000))];
    await expect(run(incus, guest, { command })).rejects.toMatchObject({ code: "program-not-started" });
  });

  it("X-87 trap 4: runs in a directory behind a link", async () => {
    const command = sh("ln -sfn /usr /root/behind; pwd");
    await run(incus, guest, { command });
    const { stdout } = await run(incus, guest, { command: ["pwd", "-P"], cwd: "/root/behind" });
    expect(stdout).toBe("/usr\n");
  });

  it("X-87 trap 5: a uid brings neither HOME nor groups; what is given is there", async () => {
    const script = 'id -u; id -G; echo "$HOME-$USER"';
    const bare = await run(incus, guest, { command: sh(script), uid: 1000, gid: 1000 });
    expect(bare.stdout).toBe("1000\n1000\n-\n");
    const environment = { HOME: "/home/agentuser", USER: "agentuser" };
    const given = await run(incus, guest, { command: sh(script), uid: 1000, gid: 1000, environment });
    expect(given.stdout).toBe("1000\n1000\n/home/agentuser-agentuser\n");
  });

  it("X-87 trap 6: a cancelled program is killed, and its children live on", async () => {
    const stop = new AbortController();
    const started = deferred();
    const script = "setsid -f sleep 6071; echo up; exec sleep 6072";
    const running = incus.exec(guest, {
      command: sh(script),
      onStdout: () => started.resolve(),
      signal: stop.signal,
    });
    await started.promise;
    stop.abort();
    await expect(running).rejects.toMatchObject({ outcome: "cancelled" });
    const living = async () => (await run(incus, guest, { command: sh("pgrep -af '^sleep 607'") })).stdout;
    let seen = await living();
    while (seen.includes("6072")) seen = await living();
    expect(seen).toContain("sleep 6071");
    await run(incus, guest, { command: ["pkill", "-f", "^sleep 6071"] });
  });

  it("does not wait for a child that holds the streams open", async () => {
    const begun = performance.now();
    const ended = await run(incus, guest, { command: sh("sleep 20 & echo done") });
    expect(ended).toMatchObject({ exitCode: 0, stdout: "done\n" });
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it("does not wait for input that never comes once the program has ended", async () => {
    async function* never() {
      yield Buffer.from("x");
      await new Promise(() => {});
    }
    expect(await run(incus, guest, { command: sh("exit 4"), stdin: never() })).toMatchObject({ exitCode: 4 });
  });

  it("rejects with what a source of input throws, and kills the program", async () => {
    async function* broken() {
      yield Buffer.from("x");
      throw new Error("source broke");
    }
    await expect(run(incus, guest, { command: ["cat"], stdin: broken() })).rejects.toThrow("source broke");
  });

  it("runs twenty programs at once, each with its own output", async () => {
    const ended = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        run(incus, guest, { command: sh(`echo ${index}; exit ${index}`) }),
      ),
    );
    const wanted = ended.map((_, index) => ({ exitCode: index, stdout: `${index}\n`, stderr: "" }));
    expect(ended).toEqual(wanted);
  });

  it("X-16 tells a graceful stop meanwhile from a program's own end", { timeout: 60_000 }, async () => {
    const stopping = await make(bench, { start: true });
    const boot = "until systemctl is-system-running --wait; do sleep 0.05; done; true";
    await run(incus, stopping, { command: sh(boot) });
    const started = deferred();
    const command = sh("echo up; exec sleep 6073");
    const running = incus.exec(stopping, { command, onStdout: () => started.resolve() });
    const ended = expect(running).rejects.toMatchObject({ code: "instance-not-running" });
    await started.promise;
    expect(await incus.instances.stop(stopping, { graceS: 30 })).toBe(true);
    await ended;
  });
});
