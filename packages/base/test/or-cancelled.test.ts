import { expect, it } from "vitest";
import { orCancelled } from "../src/index.ts";

const never = new Promise<never>(() => {});

it("passes the result or the error of the promise on", async () => {
  const { signal } = new AbortController();
  expect(await orCancelled(signal, Promise.resolve(7))).toBe(7);
  await expect(orCancelled(signal, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

it("ends as cancelled when the signal fires first, or had fired before", async () => {
  const controller = new AbortController();
  const waiting = orCancelled(controller.signal, never);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ outcome: "cancelled" });
  await expect(orCancelled(controller.signal, never)).rejects.toMatchObject({ outcome: "cancelled" });
});

it("leaves no unhandled error behind when the promise fails after the signal", async () => {
  const controller = new AbortController();
  let fail = (_: Error) => {};
  const late = orCancelled(controller.signal, new Promise((_, reject) => (fail = reject)));
  controller.abort();
  await expect(late).rejects.toMatchObject({ outcome: "cancelled" });
  fail(new Error("late"));
  await new Promise((resolve) => setImmediate(resolve));
});
