import { beforeAll, expect, it } from "vitest";
import { describeWithIncus, type IncusBench } from "./real-incus.ts";
import { deferred, make, run, sh } from "./world.ts";

describeWithIncus("a terminal in a real guest", (bench) => {
  const { incus } = bench;
  let guest: string;
  beforeAll(async () => {
    guest = await make(bench, { start: true });
  });

  it("X-87 trap 7: ends by itself when its program does, with the exit code", async () => {
    const terminal = await open(bench, guest, sh("stty size; test -t 0 && test -t 1; exit 5"));
    expect(await terminal.ended).toEqual({ exitCode: 5 });
    expect(terminal.shown()).toBe("24 80\r\n");
  });

  it("shows all output of a program that ends at once", async () => {
    const terminal = await open(bench, guest, sh("seq 1 100000"));
    expect(await terminal.ended).toEqual({ exitCode: 0 });
    expect(terminal.shown().endsWith("99999\r\n100000\r\n")).toBe(true);
    expect(terminal.shown()).toHaveLength(688_895);
  });

  it("passes what is typed, and a new size", async () => {
    const terminal = await open(bench, guest, sh("read line; echo got $line; read line; stty size"));
    terminal.write(Buffer.from("é\n"));
    await terminal.until("got é");
    terminal.resize(132, 50);
    terminal.write(Buffer.from("\n"));
    await terminal.ended;
    expect(terminal.shown()).toContain("50 132");
    terminal.write(Buffer.from("into the void"));
    terminal.resize(1, 1);
  });

  it("X-87 trap 7: hanging up kills the program and ends the wait", async () => {
    const terminal = await open(bench, guest, sh("echo up; exec sleep 6074"));
    await terminal.until("up");
    terminal.hangUp();
    expect(await terminal.ended).toEqual({ exitCode: 137 });
    expect((await run(incus, guest, { command: ["pgrep", "-f", "^sleep 6074"] })).exitCode).toBe(1);
  });

  it("X-87 trap 7: a cancellation kills the program", async () => {
    const stop = new AbortController();
    const terminal = await open(bench, guest, sh("echo up; exec sleep 6075"), stop.signal);
    await terminal.until("up");
    stop.abort();
    await expect(terminal.ended).rejects.toMatchObject({ outcome: "cancelled" });
    const isGone = async () =>
      (await run(incus, guest, { command: ["pgrep", "-f", "^sleep 6075"] })).exitCode === 1;
    while (!(await isGone()));
  });

  it("throws when the instance stops under it", async () => {
    const stopping = await make(bench, { start: true });
    const terminal = await open(bench, stopping, sh("echo up; exec sleep 6076"));
    await terminal.until("up");
    const ended = expect(terminal.ended).rejects.toMatchObject({ code: "instance-not-running" });
    await incus.instances.stop(stopping, { force: true });
    await ended;
  });

  it("refuses what exec refuses", async () => {
    await expect(open(bench, guest, ["a\0"])).rejects.toMatchObject({ code: "argument-nul" });
    await expect(open(bench, "no-such", ["sh"])).rejects.toMatchObject({ code: "instance-not-found" });
  });
});

async function open({ incus }: IncusBench, guest: string, command: readonly string[], signal?: AbortSignal) {
  let shown = "";
  let wanted = { text: "", seen: deferred() };
  const onOutput = (chunk: Uint8Array) => {
    shown += Buffer.from(chunk).toString();
    if (shown.includes(wanted.text)) wanted.seen.resolve();
  };
  const size = { columns: 80, rows: 24 };
  const request = { command, ...size, onOutput, ...(signal ? { signal } : {}) };
  const terminal = await incus.openTerminal(guest, request);
  const until = (text: string) => {
    wanted = { text, seen: deferred() };
    if (shown.includes(text)) wanted.seen.resolve();
    return wanted.seen.promise;
  };
  return { ...terminal, until, shown: () => shown };
}
