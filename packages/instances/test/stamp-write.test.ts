import { fakeClock } from "@agent-control/base/testing";
import { fakeIncus } from "@agent-control/incus/testing";
import { expect, it } from "vitest";
import { readStamp, stampConfig } from "../src/stamp.ts";
import { writeStamp } from "../src/stamp-write.ts";

async function oneInstance() {
  const clock = fakeClock({ autoAdvance: true });
  const incus = fakeIncus({ clock });
  const config = stampConfig({ state: "ready", purpose: "p" });
  await incus.instances.create({ name: "c1", source: { type: "image", alias: "base" }, config });
  /** Somebody else changes the instance just before the next `times` writes. */
  const meddle = (times: number) => {
    let left = times;
    let meddling = false;
    incus.intercept(async ({ name, phase }) => {
      if (name !== "instances.change" || phase !== "before" || meddling || left === 0) return;
      left -= 1;
      meddling = true;
      const seen = await incus.instances.get("c1");
      await incus.instances.change("c1", { config: stampConfig({ purpose: `${left}` }) }, seen?.etag ?? "");
      meddling = false;
    });
  };
  const stamp = async () => readStamp((await incus.instances.get("c1"))?.config ?? {});
  return { incus, clock, meddle, stamp };
}

it("X-13 writes what was decided, leaves the rest, and raises the counter every time", async () => {
  const { incus, clock, stamp } = await oneInstance();
  const seen = await writeStamp({ incus, clock }, "c1", {
    decide: () => ({ session: "s", purpose: undefined }),
  });
  expect(seen?.name).toBe("c1");
  expect(await stamp()).toEqual({ state: "ready", session: "s", counter: "1" });
  await writeStamp({ incus, clock }, "c1", { decide: () => ({ session: "s" }) });
  expect((await stamp()).counter).toBe("2");
});

it("X-13 writes nothing when nothing is to be written or nothing is there", async () => {
  const { incus, clock } = await oneInstance();
  await writeStamp({ incus, clock }, "c1", { decide: () => undefined });
  const seen: unknown[] = [];
  for (const name of ["c2", "../c1", ""]) {
    await writeStamp({ incus, clock }, name, {
      decide: (found) => {
        seen.push(found);
        return { session: "s" };
      },
    });
  }
  expect(seen).toEqual([undefined, undefined, undefined]);
  expect(incus.calls.filter((call) => call.startsWith("instances.change"))).toEqual([]);
});

it("X-13 decides again on what is there when somebody was faster", async () => {
  const { incus, clock, stamp } = await oneInstance();
  const seen: (string | undefined)[] = [];
  const decide = (name: string) => (found: { config: Record<string, string> } | undefined) => {
    const { session } = readStamp(found?.config ?? {});
    seen.push(session);
    return session === undefined ? { session: name } : undefined;
  };
  const write = (name: string) => writeStamp({ incus, clock }, "c1", { decide: decide(name) as never });
  await Promise.all(["a", "b", "c", "d"].map(write));
  const { session, counter } = await stamp();
  expect(seen.filter((each) => each === undefined)).toHaveLength(4);
  expect(seen.filter((each) => each === session)).toHaveLength(3);
  expect(counter).toBe("1");
});

it("X-13 gives up after 10 tries, with what to do", async () => {
  const { incus, clock, meddle } = await oneInstance();
  meddle(9);
  await writeStamp({ incus, clock }, "c1", { decide: () => ({ session: "s" }) });
  meddle(1000);
  let tries = 0;
  const written = writeStamp({ incus, clock }, "c1", {
    decide: () => {
      tries += 1;
      return { session: "t" };
    },
  });
  await expect(written).rejects.toMatchObject({
    code: "stamp-contended",
    outcome: "error",
    details: { instance: "c1" },
  });
  expect(tries).toBe(10);
});
