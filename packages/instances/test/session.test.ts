import { fakeProcessTable } from "@agent-control/base/testing";
import type { InstanceSeen } from "@agent-control/incus";
import fc from "fast-check";
import { expect, it } from "vitest";
import { markedAt, renderMark } from "../src/holder-mark.ts";
import { ownerOf } from "../src/owner.ts";
import { parseSession, processSession, sessionLife } from "../src/session.ts";
import { stampConfig } from "../src/stamp.ts";

const grant = "0123456789abcdef0123456789abcdef";

function instance(name: string, stamp: Parameters<typeof stampConfig>[0]): InstanceSeen {
  const config = stampConfig(stamp);
  return {
    ...{ name, config, status: "Stopped", type: "container", createdAt: "2026-01-01T00:00:00Z" },
    ...{ profiles: [], devices: {}, expandedConfig: config, expandedDevices: {} },
  };
}

it("X-13 names a session by pid, start ticks and the first 8 hex digits of the boot id", () => {
  const table = fakeProcessTable({ pid: 4711, start: "123456" });
  const own = { ...table, bootId: () => "9F3a21b0-1111-4222-8333-444455556666" };
  const self = () => ({ ...table.self(), bootId: own.bootId() });
  expect(processSession({ ...own, self })).toBe("4711-123456-9f3a21b0");
});

it("X-13 reads only ids that it writes", () => {
  expect(parseSession("4711-123456-9f3a21b0")).toEqual({
    ...{ kind: "process", pid: 4711, start: "123456", boot: "9f3a21b0" },
  });
  expect(parseSession(`instance:coord-1:${grant}`)).toEqual({
    kind: "coordinator",
    instance: "coord-1",
    grant,
  });
  for (const bad of [
    ...[
      "",
      "4711",
      "4711-1",
      "0-1-9f3a21b0",
      "-1-1-9f3a21b0",
      "4711-1-9f3a21b",
      "4711-1-9f3a21b01",
      "4711-1-9F3A21B0",
    ],
    ...[" 4711-1-9f3a21b0", "4711-1-9f3a21b0\n", "1e3-1-9f3a21b0", "99999999999-1-9f3a21b0"],
    ...[
      `instance::${grant}`,
      `instance:a b:${grant}`,
      `instance:coord:${grant}0`,
      "instance:coord:",
      `instance:../x:${grant}`,
    ],
  ]) {
    expect([bad, parseSession(bad)]).toEqual([bad, undefined]);
  }
  fc.assert(fc.property(fc.string(), (text) => parseSession(text) === undefined || /^[\w:-]+$/.test(text)));
});

it("X-13 takes a session as dead once its process is gone, a zombie, another one with its pid, or of another boot", () => {
  const table = fakeProcessTable();
  const isAlive = sessionLife(table, []);
  const id = (pid: number) => {
    const identity = table.add({ pid });
    return processSession({ ...table, self: () => identity });
  };
  const [lives, gone, zombie, reused] = [id(10), id(11), id(12), id(13)];
  table.exit(11);
  table.exit(12, { zombie: true });
  table.reuse(13);
  expect([lives, gone, zombie, reused].map(isAlive)).toEqual([true, false, false, false]);
  expect(isAlive(lives.replace(/.{8}$/, "ffffffff"))).toBe(false);
});

it("X-13 takes an id that it cannot read as held, by nobody nameable", () => {
  const isAlive = sessionLife(fakeProcessTable(), []);
  expect(["", "x", "1-2-3"].map(isAlive)).toEqual([true, true, true]);
});

it("X-61 takes a coordinator as alive while its instance has its grant and a network, running or stopped", () => {
  const id = `instance:coord:${grant}`;
  const life = (stamp: Parameters<typeof stampConfig>[0], name = "coord") =>
    sessionLife(fakeProcessTable(), [instance(name, stamp)])(id);
  expect(life({ grant })).toBe(true);
  expect(life({ grant, network: "proxy-only" })).toBe(true);
  expect(life({ grant, network: "airgap" })).toBe(false);
  expect(life({ grant: "f".repeat(32) })).toBe(false);
  expect(life({})).toBe(false);
  expect(life({ grant }, "other")).toBe(false);
  expect(sessionLife(fakeProcessTable(), [])(id)).toBe(false);
});

it("X-40 counts a mark only while it names the holder", () => {
  const at = Date.UTC(2026, 2, 1);
  const mark = renderMark(at, "1-2-aaaaaaaa");
  expect(mark).toBe("2026-03-01T00:00:00.000Z 1-2-aaaaaaaa");
  expect(markedAt(mark, "1-2-aaaaaaaa")).toBe(at);
  for (const [text, session] of [
    [mark, "1-2-bbbbbbbb"],
    [mark, undefined],
    [undefined, "1-2-aaaaaaaa"],
    ["yesterday 1-2-aaaaaaaa", "1-2-aaaaaaaa"],
    ["2026-03-01T00:00:00.000Z", "1-2-aaaaaaaa"],
    [`${mark} more`, "1-2-aaaaaaaa"],
  ] as const) {
    expect(markedAt(text, session)).toBeUndefined();
  }
});

it("X-86 says the owner as uid and name on one line", () => {
  expect(ownerOf({ uid: 1000, name: "ada" })).toBe("1000:ada");
  expect(ownerOf({ uid: 0, name: "a b\u001b[1m\nc" })).toBe("0:a-b-c");
});
