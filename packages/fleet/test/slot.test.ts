import { Failure } from "@agent-control/base";
import { describe, expect, it } from "vitest";
import { withSlot } from "../src/index.ts";
import { failureOf, fleetWorld } from "./world.ts";

const slot = { caller: "lead", kind: "send", limit: 1 } as const;
const failing = (details = {}) =>
  new Failure("error", { code: "broken", message: "It broke", next: "Mend it", details });

describe("withSlot", () => {
  it("T-16 uses the slot on success and refuses the next with the seconds to wait", async () => {
    const { ports } = await fleetWorld();
    expect(await withSlot(ports, slot, (reserve) => reserve().then(() => "sent"))).toBe("sent");
    expect(await failureOf(withSlot(ports, slot, (reserve) => reserve()))).toMatchObject({
      outcome: "rate-limited",
      exitCode: 5,
      details: { retry_after_s: 60 },
    });
  });

  it("T-16 gives the slot back on a failure, and once only", async () => {
    const { ports } = await fleetWorld();
    for (let times = 0; times < 3; times += 1) {
      const call = withSlot(ports, slot, async (reserve) => {
        await reserve();
        throw failing();
      });
      expect(await failureOf(call)).toMatchObject({ code: "broken" });
    }
    await withSlot(ports, slot, (reserve) => reserve());
  });

  it("T-16 keeps the slot of a call that was cancelled after it had typed", async () => {
    const { ports } = await fleetWorld();
    const call = withSlot(ports, slot, async (reserve) => {
      await reserve();
      throw failing({ typed: true });
    });
    await failureOf(call);
    expect(await failureOf(withSlot(ports, slot, (reserve) => reserve()))).toMatchObject({
      outcome: "rate-limited",
    });
  });

  it("T-16 takes no slot for a call that fails before it asks for one", async () => {
    const { ports } = await fleetWorld();
    await failureOf(withSlot(ports, slot, () => Promise.reject(failing())));
    await withSlot(ports, slot, (reserve) => reserve());
  });

  it("T-16 tells the call's own error when the slot cannot be given back", async () => {
    const { ports, files } = await fleetWorld();
    const call = withSlot(ports, slot, async (reserve) => {
      await reserve();
      files.setDiskFull(true);
      throw failing();
    });
    expect(await failureOf(call)).toMatchObject({ code: "broken" });
  });

  it("T-16 lets twenty calls of one caller overlap in time", async () => {
    const { ports, clock } = await fleetWorld();
    const started = clock.monotonic();
    const calls = Array.from({ length: 20 }, () =>
      withSlot(ports, { ...slot, limit: 60 }, async (reserve) => {
        await reserve();
        await clock.sleep(1_000);
      }),
    );
    await Promise.all(calls);
    expect(clock.monotonic() - started).toBe(1_000);
  });
});
