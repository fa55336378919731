import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { type Script, scriptedProcesses } from "@agent-control/base/testing";
import { expect, it, onTestFinished } from "vitest";
import { createClock, createProcesses, createProcessTable } from "../src/index.ts";
import { failureOf } from "./failures.ts";
import { command, processesContract, programs } from "./processes-contract.ts";
import { temporaryDirectory } from "./temporary.ts";

const processes = createProcesses();
const processTable = createProcessTable();

processesContract("real processes", () => {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return { processes, runningPid: child.pid ?? 0, endedPid: spawnSync("true").pid };
});

processesContract("scripted processes", () => {
  const scripted = scriptedProcesses(createClock(), script);
  scripted.setRunning(10, true);
  scripted.setRunning(11, false);
  return { processes: scripted, runningPid: 10, endedPid: 11 };
});

const script: Script = ({ file, args }) => {
  if (file !== "sh") return "missing";
  switch (args[1]) {
    case programs.twoStreams:
      return { stdout: "out", stderr: "err" };
    case programs.exits7:
      return { exitCode: 7 };
    case programs.killsItself:
      return { exitCode: undefined, signalName: "SIGKILL" };
    case programs.printsMuch:
      return { stdout: "x".repeat(200_000), stderr: "end" };
    default:
      return "hangs";
  }
};

it("the scripted processes fail the test for a command they do not know", async () => {
  const scripted = scriptedProcesses(createClock(), () => undefined);
  await expect(scripted.run(command("tmux", ["-V"]))).rejects.toThrow("no script for tmux -V");
  expect(() => scripted.signal(5, "SIGTERM")).toThrow("pid 5 is not modelled");
  expect(scripted.commands.map(({ file }) => file)).toEqual(["tmux"]);
});

it("passes every argument exactly, without a shell", async () => {
  const args = ["", " ", "$HOME", "`id`", "a;b", "'\"\\", "é\n\t", "--", "*"];
  const print = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
  const end = await processes.run(command(process.execPath, ["-e", print, "--", ...args]));
  expect(JSON.parse(end.stdout)).toEqual(args);
});

it("gives the child the whole environment and the directory that it is told, or this process's own", async () => {
  const cwd = temporaryDirectory();
  const told = await processes.run({ ...command("/usr/bin/env", []), env: { A: "1" } });
  expect(told.stdout).toBe("A=1\n");
  const own = await processes.run({ ...command("sh", ["-c", "pwd; echo $HOME"]), cwd });
  expect(own.stdout).toBe(`${cwd}\n${process.env["HOME"]}\n`);
});

it("gives the child its input, and nothing without one", async () => {
  expect((await processes.run({ ...command("cat", []), input: "a\nb" })).stdout).toBe("a\nb");
  expect((await processes.run({ ...command("cat", []), input: Uint8Array.from([65]) })).stdout).toBe("A");
  expect((await processes.run(command("cat", []))).stdout).toBe("");
  const unread = await processes.run({ ...command("true", []), input: "x".repeat(3_000_000) });
  expect(unread.exitCode).toBe(0);
});

it("cuts no character in half at the limit", async () => {
  const end = await processes.run({ ...command("printf", ["aéé"]), maxOutputBytes: 4 });
  expect([end.stdout, end.truncated]).toEqual(["aé", true]);
});

it("waits until the time-out only for what a program left running on its output", async () => {
  const started = performance.now();
  const end = await processes.run({ ...command("sh", ["-c", "sleep 20 & echo $!"]), timeoutMs: 400 });
  process.kill(Number(end.stdout), "SIGKILL");
  expect(end).toMatchObject({ exitCode: 0, timedOut: false });
  expect(performance.now() - started).toBeLessThan(5_000);
});

it("has killed the child when it says cancelled", async () => {
  const stop = new AbortController();
  const before = processTable.children(process.pid);
  const running = failureOf(() => processes.run({ ...command("sleep", ["60"]), signal: stop.signal }));
  const fresh = () => processTable.children(process.pid).filter((pid) => !before.includes(pid));
  while (fresh().length === 0) await new Promise((resolve) => setImmediate(resolve));
  const [pid = 0] = fresh();
  stop.abort();
  expect((await running).outcome).toBe("cancelled");
  expect(processTable.look(pid)).toBeUndefined();
});

it("names a missing working directory, a file that may not run and arguments that are too long", async () => {
  const cwd = join(temporaryDirectory(), "none");
  const missing = await failureOf(() => processes.run({ ...command("true", []), cwd }));
  expect([missing.code, missing.details]).toEqual(["file-missing", { path: cwd }]);
  const codes = [];
  for (const [file, arg] of [
    ["/etc/passwd", ""],
    ["true", "x".repeat(300_000)],
    ["true", "a\0b"],
  ] as const) {
    codes.push((await failureOf(() => processes.run(command(file, [arg])))).code);
  }
  expect(codes).toEqual(["program-missing", "program-arguments", "program-arguments"]);
});

it.each([0, -1, 1.5, Number.NaN])("never signals a group or everything: pid %s is a bug", (pid) => {
  expect(() => processes.signal(pid, "SIGTERM")).toThrow("is not the pid of one process");
});

it("C-06 runs programs also when the current directory was removed", async () => {
  const before = process.cwd();
  const gone = temporaryDirectory();
  process.chdir(gone);
  rmdirSync(gone);
  try {
    expect((await processes.run(command("sh", ["-c", "pwd"]))).stdout).toBe("/\n");
  } finally {
    process.chdir(before);
  }
});

it("X-70 kills a whole process group at the time-out and when cancelled", async () => {
  const twoSleeps = ["-c", "sleep 60 & echo $!; sleep 60"];
  const late = await processes.run({ ...command("sh", twoSleeps), ownGroup: true, timeoutMs: 300 });
  expect(late).toMatchObject({ timedOut: true, signalName: "SIGKILL" });
  await gone(Number(late.stdout));
  const stop = new AbortController();
  const file = join(temporaryDirectory(), "pid");
  const running = failureOf(() =>
    processes.run({
      ...command("sh", ["-c", 'sleep 60 & echo $! > "$1"; wait', "sh", file]),
      ownGroup: true,
      signal: stop.signal,
    }),
  );
  while (!existsSync(file) || readFileSync(file, "utf8") === "")
    await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect((await running).outcome).toBe("cancelled");
  await gone(Number(readFileSync(file, "utf8")));
});

it("keeps the last bytes of a stream when told, without half a character", async () => {
  const end = await processes.run({
    ...command("sh", ["-c", "head -c 3000000 /dev/zero | tr '\\0' x; printf 'ééend'"]),
    keep: "end",
    maxOutputBytes: 6,
  });
  expect([end.stdout, end.truncated]).toEqual(["éend", true]);
  const short = await processes.run({ ...command("printf", ["abc"]), keep: "end", maxOutputBytes: 3 });
  expect([short.stdout, short.truncated]).toEqual(["abc", false]);
});

/** Resolves when the process has ended: the kernel takes a killed one away a moment later. */
async function gone(pid: number): Promise<void> {
  for (let seen = processTable.look(pid); seen && !seen.zombie; seen = processTable.look(pid)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
