import {
  fakeClock,
  fakeProcessTable,
  fakeRandom,
  memoryFiles,
  memoryLocks,
} from "@agent-control/base/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createRateWindow, type RateWindow, type Reservation } from "../src/index.ts";
import { failureOf, lineOf } from "./refused.ts";

const directory = "/run/tongs-agents/mcp-rate";

function machine(options: { bootId?: string; files?: ReturnType<typeof memoryFiles> } = {}) {
  const clock = fakeClock();
  const files = options.files ?? memoryFiles();
  const locks = memoryLocks(clock);
  const processTable = options.bootId ? { bootId: () => options.bootId ?? "" } : fakeProcessTable();
  let seed = 0;
  const server = (): RateWindow => {
    seed += 1;
    return createRateWindow({ files, locks, clock, processTable, random: fakeRandom(seed), directory });
  };
  return { clock, files, locks, server, window: server() };
}

async function taken(window: RateWindow, kind: "send" | "spawn" = "send", limit = 6): Promise<Reservation> {
  const answer = await window.reserve("a1", kind, limit);
  if (!answer.allow) throw new Error(answer.reason);
  return answer;
}

it("T-16 refuses the call over the limit as rate-limited, with the seconds to wait", async () => {
  const { clock, window } = machine();
  for (let call = 0; call < 6; call += 1) {
    await taken(window);
    await clock.advance(1_500);
  }
  expect(await window.reserve("a1", "send", 6)).toEqual({
    allow: false,
    outcome: "rate-limited",
    code: "rate-limited",
    reason: "This agent has used its 6 sends of the last 60 seconds",
    next: "Call again in 51 seconds",
    details: { retry_after_s: 51 },
  });
});

it("T-16 lets the call through that waited as it was told, and not one 1 ms earlier", async () => {
  const { clock, window } = machine();
  await taken(window, "send", 1);
  await clock.advance(59_999);
  const refusal = await window.reserve("a1", "send", 1);
  expect(refusal).toMatchObject({ allow: false, details: { retry_after_s: 1 } });
  await clock.advance(1);
  await taken(window, "send", 1);
});

it("T-16 counts sends and spawns apart, and every caller apart", async () => {
  const { window } = machine();
  await taken(window, "send", 1);
  await taken(window, "spawn", 1);
  expect(await window.reserve("a1", "spawn", 1)).toMatchObject({ allow: false });
  expect(await window.reserve("a2", "spawn", 1)).toMatchObject({ allow: true });
});

it("T-16 gives a slot back once, and only that slot", async () => {
  const { window } = machine();
  const first = await taken(window, "send", 2);
  await taken(window, "send", 2);
  await first.giveBack();
  await first.giveBack();
  await taken(window, "send", 2);
  expect(await window.reserve("a1", "send", 2)).toMatchObject({ allow: false });
});

it("T-16 keeps a slot that nobody gave back until its window has passed", async () => {
  const { clock, window } = machine();
  const crashed = await taken(window, "send", 1);
  await clock.advance(60_000);
  await taken(window, "send", 1);
  await crashed.giveBack();
  expect(await window.reserve("a1", "send", 1)).toMatchObject({ allow: false });
});

it("T-16 remembers across a restart of the server", async () => {
  const { server } = machine();
  await taken(server(), "send", 1);
  expect(await server().reserve("a1", "send", 1)).toMatchObject({ allow: false });
});

it("T-16 does not care when the wall clock steps", async () => {
  const { clock, window } = machine();
  await taken(window, "send", 1);
  for (const step of [12 * 3_600_000, -24 * 3_600_000]) {
    clock.stepWall(step);
    expect(await window.reserve("a1", "send", 1)).toMatchObject({ details: { retry_after_s: 60 } });
  }
});

it("T-16 starts empty after another boot, even where time since boot is the same", async () => {
  const files = memoryFiles();
  await taken(machine({ files, bootId: "boot-1" }).window, "send", 1);
  const after = machine({ files, bootId: "boot-2" }).window;
  await taken(after, "send", 1);
  expect(await after.reserve("a1", "send", 1)).toMatchObject({ allow: false });
});

it("T-16 never passes the limit with 20 calls at once", async () => {
  const { server } = machine();
  const servers = [server(), server()];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, call) => servers[call % 2]?.reserve("a1", "send", 6)),
  );
  expect(answers.filter((answer) => answer?.allow).length).toBe(6);
});

it("T-16 holds the lock only while it counts, so that a call under way keeps nobody waiting", async () => {
  const { locks, window } = machine();
  await taken(window);
  expect(locks.holder(`${directory}/a1.lock`)).toBeUndefined();
});

it("T-16 waits until enough slots have left when the limit was lowered", async () => {
  const { clock, window } = machine();
  for (let call = 0; call < 3; call += 1) {
    await taken(window);
    await clock.advance(10_000);
  }
  expect(await window.reserve("a1", "send", 1)).toMatchObject({ details: { retry_after_s: 50 } });
  await clock.advance(50_000);
  await taken(window, "send", 1);
});

it.each([
  ["an empty file", ""],
  ["a torn file", '{"schema":1,"boot_id":"00000000-0000-4000-8000-000000000001","slo'],
  ["another JSON value", "null"],
  ["another schema", '{"schema":2,"boot_id":"b","slots":[]}'],
  ["slots that are none", '{"schema":1,"boot_id":"b","slots":[{"id":"x","at":"soon"}]}'],
  [
    "a slot from the future",
    '{"schema":1,"boot_id":"00000000-0000-4000-8000-000000000001","slots":[{"id":"x","at":9e15}]}',
  ],
  ["too much", `"${"x".repeat(20_000)}"`],
])("C-08 T-16 refuses to count with %s, naming it", async (_, content) => {
  const { files, window } = machine();
  files.makeDirectory(directory);
  files.write(`${directory}/a1.send.json`, content);
  expect(await failureOf(window.reserve("a1", "send", 6))).toMatchObject({
    outcome: "refused",
    code: "rate-window-damaged",
  });
  expect(await lineOf(window.reserve("a1", "send", 6))).toContain(`${directory}/a1.send.json`);
  files.remove(`${directory}/a1.send.json`);
  await taken(window);
});

it.each(["fifo", "directory", "symlink", "socket"] as const)(
  "C-08 T-16 refuses to count with a %s in the file's place",
  async (kind) => {
    const { files, window } = machine();
    files.place(`${directory}/a1.send.json`, kind, { target: "/elsewhere" });
    expect(await failureOf(window.reserve("a1", "send", 6))).toMatchObject({ code: "rate-window-damaged" });
  },
);

it("T-16 fails when the slot cannot be written", async () => {
  const { files, window } = machine();
  files.makeDirectory(directory);
  files.setDiskFull(true);
  expect(await failureOf(window.reserve("a1", "send", 6))).toMatchObject({ code: "file-full" });
});

it("T-16 fails as busy when another process keeps the lock", async () => {
  const { clock, locks, window } = machine();
  locks.occupy(`${directory}/a1.lock`, 77);
  const call = failureOf(window.reserve("a1", "send", 6));
  await clock.advance(5_000);
  expect(await call).toMatchObject({ code: "busy" });
});

it.each(["", "../../etc/x", "A1", "a".repeat(65), "a b", "a\n"])(
  "T-16 makes no file for the caller id %j",
  async (caller) => {
    const { files, window } = machine();
    expect(await failureOf(window.reserve(caller, "send", 6))).toMatchObject({
      outcome: "refused",
      code: "caller-id-malformed",
    });
    expect(files.list(directory)).toEqual([]);
  },
);

type Step = { readonly do: "call" | "giveBack" } | { readonly do: "wait"; readonly ms: number };

it("T-16 never has more than the limit within any 60 s, and never refuses below it", async () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ do: "call" } as const) },
    fc.constant({ do: "giveBack" } as const),
    fc.integer({ min: 1, max: 30_000 }).map((ms) => ({ do: "wait" as const, ms })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { maxLength: 25 }),
      async (limit, steps) => {
        const { clock, window } = machine();
        const held: { at: number; reservation: Reservation }[] = [];
        for (const next of steps) {
          if (next.do === "wait") await clock.advance(next.ms);
          else if (next.do === "giveBack") await held.pop()?.reservation.giveBack();
          else {
            const counting = held.filter(({ at }) => clock.monotonic() - at < 60_000).length;
            const answer = await window.reserve("a1", "send", limit);
            expect(answer.allow).toBe(counting < limit);
            if (answer.allow) held.push({ at: clock.monotonic(), reservation: answer });
          }
        }
      },
    ),
    { numRuns: 100 },
  );
});
