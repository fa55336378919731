import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "@agent-control/base";
import { manualWatch } from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { createClock, createWatch } from "../src/index.ts";
import { failureOf } from "./failures.ts";
import { place, temporaryDirectory } from "./temporary.ts";
import { counted, watchContract } from "./watch-contract.ts";

const noError = (failure: Failure) => {
  throw failure;
};
const watch = createWatch({ onError: noError });
const clock = createClock();

watchContract("real watch", () => {
  const directory = temporaryDirectory();
  return { watch, directory, change: () => writeFileSync(join(directory, "file"), "x") };
});

watchContract("manual watch", () => {
  const manual = manualWatch();
  return { watch: manual, directory: "/state", change: () => manual.change("/state") };
});

it("makes one call of a burst and still notices files that replace each other by rename", async () => {
  const directory = temporaryDirectory();
  const calls = counted();
  const stop = watch.directory(directory, calls.one);
  for (let round = 1; round <= 3; round += 1) {
    for (let file = 0; file < 20; file += 1) {
      writeFileSync(join(directory, "temporary"), `${round}`);
      renameSync(join(directory, "temporary"), join(directory, "state"));
    }
    await calls.reached(round);
    await clock.sleep(50);
    expect(calls.count()).toBe(round);
  }
  stop();
});

it.each(["removed", "replaced"])("reports once that the watched directory was %s, and ends", async (how) => {
  const directory = join(temporaryDirectory(), "watched");
  mkdirSync(directory);
  const failures: Failure[] = [];
  const calls = counted();
  const ended = new Promise<void>((resolve) => {
    const own = createWatch({
      onError: (failure) => {
        failures.push(failure);
        resolve();
      },
    });
    own.directory(directory, calls.one);
  });
  if (how === "replaced") renameSync(directory, `${directory}-old`);
  else rmSync(directory, { recursive: true });
  if (how === "replaced") mkdirSync(directory);
  await ended;
  expect(failures.map((failure) => failure.code)).toEqual(["file-missing"]);
  expect(failures[0]?.message).toContain("no longer the watched directory");
  expect(calls.count()).toBe(1);
});

it("refuses a missing directory and a thing that is none", async () => {
  const root = temporaryDirectory();
  await place(join(root, "fifo"), "fifo");
  expect((await failureOf(() => watch.directory(join(root, "none"), () => {}))).code).toBe("file-missing");
  expect((await failureOf(() => watch.directory(join(root, "fifo"), () => {}))).code).toBe("file-kind");
});
