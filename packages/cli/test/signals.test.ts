import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { expect, it } from "vitest";
import { runProgram } from "../src/index.ts";
import { fleetProgram } from "./fixtures/fleet.ts";

it("C-02 stays a listener while the first signal is told, and none for the second", async () => {
  const signals = new EventEmitter();
  const stderr = new PassThrough();
  const running = runProgram(fleetProgram(), {
    argv: ["hang"],
    env: {},
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr,
    signals,
    clock: { monotonic: () => 0 },
  });
  await new Promise<void>((resolve) => {
    stderr.on("data", (text) => String(text).includes("ready") && resolve());
  });
  await new Promise((resolve) => setImmediate(resolve)); // Now the verb listens, too.
  // As signal-exit does, which ends the process when it finds no listener but its own.
  let others = 0;
  signals.on("SIGINT", () => {
    others = signals.listenerCount("SIGINT") - 1;
  });
  signals.emit("SIGINT");
  expect(others).toBe(1);
  expect(await running).toBe(130);
  expect(signals.listenerCount("SIGINT")).toBe(1);
});
