import { expect, it } from "vitest";
import { ancestors, isAlive, type ProcessTable } from "../src/index.ts";
import { fakeProcessTable } from "../src/testing.ts";

it("is alive only as exactly this process", () => {
  const table = fakeProcessTable();
  const identity = table.add({ pid: 10 });
  expect(isAlive(table, identity)).toBe(true);
  expect(isAlive(table, { ...identity, bootId: "other" })).toBe(false);
  expect(isAlive(table, { ...identity, start: "1" })).toBe(false);
  table.reuse(10);
  expect(isAlive(table, identity)).toBe(false);
});

it("T-08 counts a zombie as gone", () => {
  const table = fakeProcessTable();
  const identity = table.add({ pid: 10 });
  table.exit(10, { zombie: true });
  expect(isAlive(table, identity)).toBe(false);
});

it("throws when it cannot look instead of saying gone", () => {
  const table = fakeProcessTable();
  const identity = table.add({ pid: 10 });
  table.breakWith(new Error("no /proc"));
  expect(() => isAlive(table, identity)).toThrow("no /proc");
});

it("climbs to the ancestors, nearest first, without pid 1", () => {
  const table = fakeProcessTable();
  table.add({ pid: 10, parent: 1 });
  table.add({ pid: 20, parent: 10 });
  table.add({ pid: 30, parent: 20 });
  expect(ancestors(table, 30).map(({ pid }) => pid)).toEqual([20, 10]);
  expect(ancestors(table, 10)).toEqual([]);
  expect(ancestors(table, 99)).toEqual([]);
});

it("stops at a repeat and after 64 ancestors", () => {
  const ring = fakeProcessTable();
  ring.add({ pid: 10, parent: 20 });
  ring.add({ pid: 20, parent: 10 });
  expect(ancestors(ring, 10).map(({ pid }) => pid)).toEqual([20]);
  const deep = fakeProcessTable();
  for (let pid = 100; pid < 300; pid += 1) deep.add({ pid, parent: pid - 1 });
  expect(ancestors(deep, 299)).toHaveLength(64);
});

it("stops where a process ends and its pid is used again while it climbs", () => {
  const table = fakeProcessTable();
  table.add({ pid: 10 });
  table.add({ pid: 20, parent: 10 });
  table.add({ pid: 30, parent: 20 });
  const reusing: ProcessTable = {
    ...table,
    look: (pid) => {
      const seen = table.look(pid);
      if (pid === 10) table.reuse(20, { parent: 1 });
      return seen;
    },
  };
  expect(ancestors(reusing, 30).map(({ pid }) => pid)).toEqual([20]);
});
