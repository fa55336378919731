import { createHash, randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { deferred, make, run, sh, type World } from "./world.ts";

/** What every implementation of `Incus.exec` does; the world runs real programs. */
export function execContract(world: World): void {
  const { incus } = world;
  let guest: string;
  beforeAll(async () => {
    guest = await make(world, { start: true });
  });

  it("X-16 keeps the streams apart and tells the exit code", async () => {
    const command = sh("echo out; echo err >&2; exit 3");
    expect(await run(incus, guest, { command })).toEqual({ exitCode: 3, stdout: "out\n", stderr: "err\n" });
  });

  it.each([
    { code: 127, why: "there is no such program", command: ["no-such-program"] },
    { code: 126, why: "it may not be executed", command: ["/etc/passwd"] },
    { code: 127, why: "the shell found none", command: sh("no-such-program") },
    { code: 126, why: "it says so itself", command: sh("exit 126") },
    { code: 137, why: "it was killed", command: sh("kill -9 $$") },
    { code: 143, why: "it was asked to end", command: sh("kill -15 $$") },
    { code: 255, why: "it says so", command: sh("exit 255") },
  ])("X-87 traps 1 and 2: the exit code is $code when $why", async ({ code, command }) => {
    expect((await run(incus, guest, { command })).exitCode).toBe(code);
  });

  it("X-87 trap 3: refuses an argument or variable of 128 KiB, and takes one that is a byte shorter", async () => {
    const longest = "x".repeat(131_071);
    const length = await run(incus, guest, { command: sh('printf %s "$1" | wc -c', longest) });
    expect(length.stdout.trim()).toBe("131071");
    const tooLong = { code: "argument-too-long" };
    await expect(run(incus, guest, { command: sh("true", `${longest}x`) })).rejects.toMatchObject(tooLong);
    const environment = { V: longest.slice(0, -1) };
    await expect(run(incus, guest, { command: ["true"], environment })).rejects.toMatchObject(tooLong);
    const multiByte = "é".repeat(65_536);
    await expect(run(incus, guest, { command: ["echo", multiByte] })).rejects.toMatchObject(tooLong);
  });

  it("X-87 trap 3: refuses NUL, an empty command, and a name with =", async () => {
    const ask = (request: Parameters<typeof run>[2]) => run(incus, guest, request);
    await expect(ask({ command: ["echo", "a\0b"] })).rejects.toMatchObject({ code: "argument-nul" });
    await expect(ask({ command: ["true"], environment: { A: "\0" } })).rejects.toMatchObject({
      code: "argument-nul",
    });
    await expect(ask({ command: [] })).rejects.toMatchObject({ code: "command-empty" });
    await expect(ask({ command: ["true"], environment: { "A=B": "c" } })).rejects.toMatchObject({
      code: "environment-name",
    });
  });

  it.each(["/no/such", "/etc/passwd", "/etc/passwd/x"])(
    "X-87 trap 4: refuses to run in %s instead of in /",
    async (cwd) => {
      const asked = run(incus, guest, { command: ["pwd"], cwd });
      await expect(asked).rejects.toMatchObject({ outcome: "error", code: "cwd-missing" });
    },
  );

  it("runs in the given directory with the given variables", async () => {
    const environment = { ODD: "a\nb '\"$\\ é", EMPTY: "" };
    const command = sh('pwd; printf %s "$ODD"; printenv EMPTY');
    const { stdout } = await run(incus, guest, { command, cwd: "/usr", environment });
    expect(stdout).toBe(`/usr\n${environment.ODD}\n`);
  });

  it("X-16 passes 1 MiB of input unchanged", async () => {
    const stdin = randomBytes(1024 * 1024);
    const { stdout } = await run(incus, guest, { command: sh("sha256sum"), stdin });
    expect(stdout).toContain(createHash("sha256").update(stdin).digest("hex"));
  });

  it("ends the input after the last piece of a source, and at once without one", async () => {
    async function* pieces() {
      yield Buffer.from("one ");
      yield Buffer.from("two");
    }
    const stdin = pieces();
    expect((await run(incus, guest, { command: ["cat"], stdin })).stdout).toBe("one two");
    expect(await run(incus, guest, { command: ["cat"] })).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("X-16 hands over every byte in order while the reader is slow", async () => {
    const hash = createHash("sha256");
    let bytes = 0;
    let busy = false;
    const { exitCode } = await incus.exec(guest, {
      command: sh("seq 1 200000"),
      onStdout: async (chunk) => {
        expect(busy).toBe(false);
        busy = true;
        await new Promise((resolve) => setImmediate(resolve));
        hash.update(chunk);
        bytes += chunk.length;
        busy = false;
      },
    });
    const whole = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join("");
    expect({ exitCode, bytes }).toEqual({ exitCode: 0, bytes: whole.length });
    expect(hash.digest("hex")).toBe(createHash("sha256").update(whole).digest("hex"));
  });

  it("rejects with what a reader throws, and ends", async () => {
    const onStdout = () => {
      throw new Error("reader broke");
    };
    const command = sh("while :; do echo more; done");
    await expect(incus.exec(guest, { command, onStdout })).rejects.toThrow("reader broke");
  });

  it("X-16 throws when the instance is not running, not there, or stops meanwhile", async () => {
    const stopping = await make(world, { start: true });
    const started = deferred();
    const running = incus.exec(stopping, {
      command: sh("echo up; sleep 100"),
      onStdout: () => started.resolve(),
    });
    const ended = expect(running).rejects.toMatchObject({ outcome: "error", code: "instance-not-running" });
    await started.promise;
    await incus.instances.stop(stopping, { force: true });
    await ended;
    const command = ["true"];
    await expect(run(incus, stopping, { command })).rejects.toMatchObject({ code: "instance-not-running" });
    await expect(run(incus, "no-such", { command })).rejects.toMatchObject({ code: "instance-not-found" });
  });

  it("ends the wait at once when it is cancelled", async () => {
    const stop = new AbortController();
    const command = sh("echo up; sleep 100");
    const running = incus.exec(guest, { command, onStdout: () => stop.abort(), signal: stop.signal });
    await expect(running).rejects.toMatchObject({ outcome: "cancelled" });
  });
}
