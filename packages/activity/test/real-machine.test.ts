import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createMachine } from "@agent-control/system";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { bundleProgram } from "../../../tools/bundle-program.ts";
import { type Activity, createActivity } from "../src/index.ts";
import { sampleEvent } from "./sample-event.ts";

let program = "";

beforeAll(async () => {
  const outDir = mkdtempSync(join(tmpdir(), "activity-fixture-"));
  afterAll(() => rmSync(outDir, { recursive: true, force: true }));
  const entry = fileURLToPath(new URL("fixtures/applies-events.ts", import.meta.url));
  program = await bundleProgram(entry, outDir);
}, 30_000);

function realActivity() {
  const root = mkdtempSync(join(tmpdir(), "activity it's $HOME é "));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const machine = createMachine({
    onError: (failure) => {
      throw failure;
    },
  });
  const directory = join(root, "fleet");
  return { ...machine, directory, activity: createActivity({ ...machine, directory }) };
}

it("T-25 two hundred hooks at once, each its own process, lose nothing", async () => {
  const { activity, directory } = realActivity();
  const hooks = Array.from({ length: 200 }, (_, index) =>
    startHook(directory, index % 3 === 0 ? "turn" : "other"),
  );
  await Promise.all(hooks.map(({ ready }) => ready));
  for (const { child } of hooks) child.stdin.end();
  const taken = await Promise.all(
    hooks.map(async ({ kind, sequence }) => ({ kind, sequence: await sequence })),
  );
  const all = taken.map(({ sequence }) => sequence);
  const turns = taken.filter(({ kind }) => kind === "turn").map(({ sequence }) => sequence);
  expect(new Set(all).size).toBe(200);
  expect(await activity.list()).toMatchObject([
    { sequence: Math.max(...all), turnSequence: Math.max(...turns), status: "ended" },
  ]);
}, 120_000);

it("T-70 an event of another process is told within 100 ms", async () => {
  const { activity, directory, clock } = realActivity();
  const latencies: number[] = [];
  while (latencies.length < 5) {
    const hook = startHook(directory, "turn");
    await hook.ready;
    const changed = nextChange(activity);
    hook.child.stdin.end();
    await changed;
    const record = await activity.ofLaunch("launch-a");
    latencies.push(clock.now() - (record?.turnTs ?? 0));
    expect(record?.turnSequence).toBe(await hook.sequence);
  }
  // The best of five, since other programs may take the processor away from any one of them.
  expect(Math.min(...latencies)).toBeLessThan(100);
});

it("T-70 the record of one launch among 500 is found in a few milliseconds", async () => {
  const { activity, clock, processTable } = realActivity();
  for (let session = 0; session < 500; session += 1) {
    const launchId = `launch-${session}`;
    await activity.apply(
      sampleEvent(activity.takeSequence(), {
        sessionId: `s${session}`,
        launchId,
        ts: clock.now(),
        process: processTable.self(),
      }),
    );
  }
  await activity.list();
  const started = clock.monotonic();
  expect(await activity.ofLaunch("launch-250")).toMatchObject({ sessionId: "s250" });
  expect(clock.monotonic() - started).toBeLessThan(100);
});

interface Hook {
  readonly child: ChildProcessWithoutNullStreams;
  readonly kind: "turn" | "other";
  readonly ready: Promise<void>;
  /** The sequence it took, once it has exited with 0. */
  readonly sequence: Promise<number>;
}

function startHook(directory: string, kind: Hook["kind"]): Hook {
  const child = spawn(process.execPath, [program, directory, kind]);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const lines = createInterface({ input: child.stdout });
  const ready = new Promise<void>((resolve) => {
    lines.once("line", () => resolve());
  });
  const printed: string[] = [];
  lines.on("line", (line) => printed.push(line));
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const sequence = new Promise<number>((resolve, reject) => {
    child.on("close", (code) => (code === 0 ? resolve(Number(printed.at(-1))) : reject(new Error(errors))));
  });
  return { child, kind, ready, sequence };
}

/** Resolves at the next notice of a changed record. */
function nextChange(activity: Activity): Promise<void> {
  return new Promise((resolve) => {
    const stop = activity.onChange(() => {
      stop();
      resolve();
    });
  });
}
