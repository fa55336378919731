import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runProgram } from "../src/index.ts";
import type { Ended } from "./built-fleet.ts";
import { fleetProgram } from "./fixtures/fleet.ts";

/** Runs the test program in this process, as if its streams were pipes. */
export async function runFleet(argv: readonly string[], input = ""): Promise<Ended> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const read = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await runProgram(fleetProgram(), {
    argv,
    env: {},
    stdin: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
    signals: new EventEmitter(),
    clock: { monotonic: () => 0 },
  });
  stdout.end();
  stderr.end();
  const [printed, diagnosed] = await read;
  return { stdout: printed, stderr: diagnosed, exitCode };
}
