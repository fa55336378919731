import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asFailure, type Failure } from "@agent-control/base";
import type { HostTool } from "@agent-control/policy";
import { createMachine } from "@agent-control/system";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { createHostToolRunner } from "../src/host-tools/host-tool-runner.ts";

const machine = createMachine({ onError: () => {} });
let home: string;
let directory: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "isx it's $HOME é "));
  directory = join(home, "state");
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

const tool = (command: string, more: Partial<HostTool> = {}): HostTool => ({
  name: "inventory",
  command,
  description: "What is there",
  timeout: 60,
  minInterval: 10,
  ...more,
});

/** Runs in a session of its own: only the files are shared. */
function run(command: string, more: Partial<HostTool> = {}, signal = new AbortController().signal) {
  return createHostToolRunner({ ...machine, directory, home }).run(tool(command, more), signal);
}

async function refusal(promise: Promise<unknown>): Promise<Failure> {
  const failure = await promise.then(
    () => undefined,
    (error: unknown) => asFailure(error),
  );
  if (failure === undefined) throw new Error("It was not refused");
  return failure;
}

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

it("X-70 runs the command by sh in the home directory, with empty input and both streams in order", async () => {
  const ran = await run(`pwd; cat; echo err >&2; printf '%s' "$0 $#"; exit 3`);
  expect(ran).toMatchObject({ exitCode: 3, signalName: undefined, timedOut: false, truncated: false });
  expect(ran.output).toBe(`${home}\nerr\n/bin/sh 0`);
});

it("X-70 resolves a tilde and passes the server's environment", async () => {
  process.env["ISX_TEST_WORD"] = "passed on";
  onTestFinished(() => void delete process.env["ISX_TEST_WORD"]);
  expect((await run('echo "$ISX_TEST_WORD" ~root')).output).toBe("passed on /root\n");
});

it("X-70 keeps the last 8 KiB of a flood, in bounded memory", async () => {
  const before = process.memoryUsage().rss;
  const ran = await run("head -c 300000000 /dev/zero | tr '\\0' x; echo end");
  expect([ran.output.length, ran.truncated]).toEqual([8192, true]);
  expect(ran.output.endsWith("xend\n")).toBe(true);
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});

it("X-70 kills the whole process group at the time-out", async () => {
  const ran = await run("sleep 60 & echo $!; sleep 60", { timeout: 1 });
  expect(ran).toMatchObject({ timedOut: true, exitCode: undefined, signalName: "SIGKILL" });
  await until(() => isGone(Number(ran.output)));
});

it("X-70 kills it when the call is cancelled, and counts the interval from then", async () => {
  const stop = new AbortController();
  const file = join(home, "pid");
  const running = refusal(run("echo $$ > pid; sleep 60", {}, stop.signal));
  await until(() => existsSync(file) && readFileSync(file, "utf8") !== "");
  stop.abort();
  expect((await running).outcome).toBe("cancelled");
  await until(() => isGone(Number(readFileSync(file, "utf8"))));
  expect(await refusal(run("true"))).toMatchObject({ code: "host-tool-interval" });
});

it("X-70 refuses with the seconds left before the interval since the last end is over, in any session", async () => {
  await run("true");
  const failure = await refusal(run("true", { minInterval: 30 }));
  expect(failure).toMatchObject({ outcome: "rate-limited", code: "host-tool-interval" });
  expect(Number(failure.details["retry_after_s"])).toBeGreaterThan(27);
  expect(failure.next).toMatch(/^Call again in (28|29|30) seconds$/);
  await run("true", { name: "another" });
});

it("X-70 a reboot ends the interval", async () => {
  await run("true");
  const path = join(directory, "inventory.json");
  const boot = machine.processTable.bootId();
  writeFileSync(path, readFileSync(path, "utf8").replace(boot, "00000000-0000-4000-8000-000000000000"));
  expect(await run("echo again")).toMatchObject({ output: "again\n" });
});

it.each(["", "x", '{"boot_id":"', "\0".repeat(5000)])(
  "C-08 a broken record (%j) is not taken for none",
  async (text) => {
    await run("true");
    writeFileSync(join(directory, "inventory.json"), text);
    expect((await refusal(run("true"))).code).toMatch(/host-tool-state-damaged|file-too-large/);
  },
);

it("X-70 refuses a second call while one runs", async () => {
  const first = run("touch started; while [ ! -e go ]; do sleep 0.01; done");
  await until(() => existsSync(join(home, "started")));
  expect(await refusal(run("true"))).toMatchObject({ outcome: "rate-limited", code: "host-tool-running" });
  writeFileSync(join(home, "go"), "");
  await first;
});

it("X-70 with interval 0 eight calls wait in line, the ninth is refused, a waiting one can be cancelled", async () => {
  const inLine = { minInterval: 0 };
  const first = run("touch started; while [ ! -e go ]; do sleep 0.01; done; echo run >> runs", inLine);
  await until(() => existsSync(join(home, "started")));
  const stop = new AbortController();
  const waiting = Array.from({ length: 7 }, () => run("echo run >> runs", inLine));
  const cancelled = refusal(run("echo cancelled >> runs", inLine, stop.signal));
  await until(() => machine.files.look(join(directory, "inventory.place-8")) !== undefined);
  expect(await refusal(run("true", inLine))).toMatchObject({ code: "host-tool-line-full" });
  stop.abort();
  expect((await cancelled).outcome).toBe("cancelled");
  writeFileSync(join(home, "go"), "");
  await Promise.all([first, ...waiting]);
  expect(readFileSync(join(home, "runs"), "utf8")).toBe("run\n".repeat(8));
});

function isGone(pid: number): boolean {
  const seen = machine.processTable.look(pid);
  return seen === undefined || seen.zombie;
}
