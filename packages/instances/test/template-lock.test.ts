import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMachine } from "@agent-control/system";
import { afterEach, expect, it } from "vitest";
import { createTemplateLock } from "../src/template-lock.ts";

const root = mkdtempSync(join(tmpdir(), "template-lock-"));
const machine = createMachine({ onError: (failure) => console.error(failure.message) });
const lock = createTemplateLock({ ...machine, directory: root });
afterEach(() => expect(readdirSync(root)).toEqual([]));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));

function door(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

const waitMs = 10_000;

it("X-07 lets readers in together and keeps a writer out until the last one has gone", async () => {
  const order: string[] = [];
  const [first, second] = [door(), door()];
  const [firstIn, secondIn] = [door(), door()];
  const one = lock.read("tpl-a", { waitMs }, async () => {
    firstIn.open();
    await first.opened;
    order.push("first read");
  });
  const two = lock.read("tpl-a", { waitMs }, async () => {
    secondIn.open();
    await second.opened;
    order.push("second read");
  });
  await Promise.all([firstIn.opened, secondIn.opened]);
  const writing = lock.write("tpl-a", { waitMs }, async () => void order.push("written"));
  first.open();
  await one;
  second.open();
  await Promise.all([two, writing]);
  expect(order).toEqual(["first read", "second read", "written"]);
});

it("X-07 keeps readers out while a writer is in, but not those of another template", async () => {
  const order: string[] = [];
  const [gone, writerIn] = [door(), door()];
  const writing = lock.write("tpl-a", { waitMs }, async () => {
    writerIn.open();
    await gone.opened;
    order.push("written");
  });
  await writerIn.opened;
  const reading = lock.read("tpl-a", { waitMs }, async () => void order.push("read"));
  await lock.read("tpl-ab", { waitMs }, async () => void order.push("other"));
  gone.open();
  await Promise.all([writing, reading]);
  expect(order).toEqual(["other", "written", "read"]);
});

it("X-07 gives up in time and says which template is in use", async () => {
  const [gone, readerIn] = [door(), door()];
  const reading = lock.read("tpl-a", { waitMs }, () => {
    readerIn.open();
    return gone.opened;
  });
  await readerIn.opened;
  const writing = lock.write("tpl-a", { waitMs: 30 }, async () => "never");
  await expect(writing).rejects.toMatchObject({ code: "busy", message: expect.stringContaining("tpl-a") });
  gone.open();
  await reading;
});

it("X-07 throws what a reader throws, and lets the writer in", async () => {
  const reading = lock.read("tpl-a", { waitMs }, async () => {
    throw new Error("the copy failed");
  });
  await expect(reading).rejects.toThrow("the copy failed");
  expect(await lock.write("tpl-a", { waitMs }, async () => "in")).toBe("in");
});

it("X-83 does not wait for a reader whose process was killed", async () => {
  const dead = { pid: 4_000_000, start: "1", bootId: machine.processTable.bootId() };
  const other = createMachine({ onError: (failure) => console.error(failure.message) });
  const { createLocks } = await import("@agent-control/system");
  const locks = createLocks({ ...other, processTable: { ...other.processTable, self: () => dead } });
  const killed = createTemplateLock({ ...other, locks, directory: root });
  const readerIn = door();
  void killed.read("tpl-a", { waitMs }, () => {
    readerIn.open();
    return new Promise(() => undefined);
  });
  await readerIn.opened;
  expect(readdirSync(root)).toHaveLength(1);
  expect(await lock.write("tpl-a", { waitMs: 1_000 }, async () => "in")).toBe("in");
});
