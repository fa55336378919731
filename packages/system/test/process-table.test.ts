import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { isAlive } from "@agent-control/base";
import { fakeProcessTable } from "@agent-control/base/testing";
import fc from "fast-check";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { createProcessTable } from "../src/index.ts";
import { parseStat } from "../src/process-stat.ts";
import { buildFixture } from "./fixture.ts";
import { processTableContract } from "./process-table-contract.ts";
import { isRoot } from "./temporary.ts";

const processTable = createProcessTable();
const asNobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
let look = "";
beforeAll(async () => {
  look = await buildFixture("look.ts");
});

processTableContract("real process table", () => ({
  processTable,
  async start(words, environment) {
    const hang = "process.stdout.write('ready'); setInterval(() => {}, 60000)";
    const child = spawn(process.execPath, ["-e", hang, "--", ...words], { env: environment });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    await once(child.stdout, "data");
    const end = async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    };
    return { pid: child.pid ?? 0, end };
  },
}));

processTableContract("fake process table", () => {
  const fake = fakeProcessTable();
  return {
    processTable: fake,
    async start(words, environment) {
      fake.add({ pid: 500, parent: fake.self().pid, argv: ["node", ...words], environment });
      return { pid: 500, end: async () => fake.exit(500) };
    },
  };
});

it("T-08 counts a zombie as gone", async () => {
  const parent = spawn("sh", ["-c", "sh -c 'echo $$; kill -9 $$' & exec sleep 60"]);
  onTestFinished(() => {
    parent.kill("SIGKILL");
  });
  const [line] = await once(parent.stdout, "data");
  const pid = Number(line);
  while (processTable.look(pid)?.zombie !== true) await new Promise((resolve) => setImmediate(resolve));
  const zombie = processTable.look(pid);
  expect(zombie && isAlive(processTable, zombie)).toBe(false);
  expect(process.kill(pid, 0)).toBe(true);
  expect(processTable.children(parent.pid ?? 0)).toEqual([]);
  expect(processTable.pids()).not.toContain(pid);
  expect([processTable.argv(pid), processTable.environment(pid)]).toEqual([undefined, undefined]);
});

it("T-08 the fake counts a zombie as gone and tells a reused pid apart", () => {
  const fake = fakeProcessTable();
  const first = fake.add({ pid: 9, parent: 4242 });
  fake.exit(9, { zombie: true });
  expect(fake.look(9)?.zombie).toBe(true);
  expect([isAlive(fake, first), fake.children(4242), fake.argv(9)]).toEqual([false, [], undefined]);
  const second = fake.reuse(9);
  expect([isAlive(fake, first), isAlive(fake, second)]).toEqual([false, true]);
});

it("keeps a process's start time over exec", async () => {
  const child = spawn("sh", ["-c", "echo a; read x; exec sleep 60"]);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await once(child.stdout, "data");
  const before = processTable.look(child.pid ?? 0);
  child.stdin.write("\n");
  while (processTable.look(child.pid ?? 0)?.name !== "sleep")
    await new Promise((resolve) => setImmediate(resolve));
  expect(processTable.look(child.pid ?? 0)).toEqual({ ...before, name: "sleep" });
});

it("parses any program name out of a stat line", () => {
  const line = readFileSync("/proc/self/stat", "utf8");
  const rest = line.slice(line.lastIndexOf(")") + 1);
  const { parent, start } = parseStat(line);
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 15 }),
      fc.constantFrom("", ")", ") Z 1 ("),
      (name, more) => {
        const parsed = parseStat(`77 (${name}${more})${rest}`);
        expect(parsed).toEqual({ pid: 77, name: `${name}${more}`, parent, start, zombie: false });
      },
    ),
  );
});

it("sees another user's process but not its environment", (context) => {
  if (!isRoot) return context.skip("needs root to become another user");
  const done = spawnSync("setpriv", [...asNobody, process.execPath, look, String(process.pid)]);
  expect(JSON.parse(done.stdout.toString())).toMatchObject({ pid: process.pid, uid: 0 });
  expect(processTable.environment(process.pid)?.["PATH"]).toBe(process.env["PATH"]);
});

it("is unavailable, not empty, where /proc is of another PID namespace or missing", (context) => {
  if (!isRoot) return context.skip("needs root to make a namespace");
  const otherNamespace = ["--pid", "--fork", process.execPath, look, "1"];
  expect(spawnSync("unshare", otherNamespace).stdout.toString().trim()).toBe("process-table-unavailable");
  const script = 'mount -t tmpfs none /proc && exec "$@"';
  const missing = ["--mount", "sh", "-c", script, "sh", process.execPath, look, "1"];
  expect(spawnSync("unshare", missing).stdout.toString().trim()).toBe("process-table-unavailable");
});

it.for(["1", "2"])(
  "is unavailable for a process that hidepid=%s hides, and sees a free pid",
  (level, context) => {
    if (!isRoot) return context.skip("needs root to mount /proc");
    const program = `setpriv ${asNobody.join(" ")} "$@"`;
    const script = `mount -o remount,hidepid=${level} /proc; ${program} 1; ${program} 99999`;
    const namespace = ["--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", script, "sh"];
    const done = spawnSync("unshare", [...namespace, process.execPath, look]);
    expect(done.stdout.toString()).toBe('process-table-unavailable\n"none"\n');
  },
);
