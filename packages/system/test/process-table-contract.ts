import { isAlive, type ProcessTable } from "@agent-control/base";
import { describe, expect, it } from "vitest";

export interface ProcessTableUnderTest {
  readonly processTable: ProcessTable;
  /** Starts a child of this process with these words as its last arguments and this environment. */
  start(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<Started>;
}

export interface Started {
  readonly pid: number;
  /** Ends it; resolves when it is gone. */
  end(): Promise<void>;
}

/** What every implementation of the ProcessTable port does. */
export function processTableContract(name: string, make: () => ProcessTableUnderTest): void {
  describe(name, () => {
    it("sees this process", () => {
      const { processTable } = make();
      const self = processTable.self();
      expect(processTable.look(self.pid)).toMatchObject({ ...self, zombie: false });
      expect(processTable.bootId()).toBe(self.bootId);
      expect(isAlive(processTable, self)).toBe(true);
    });

    it("sees a child with its argv and environment until it ends", async () => {
      const { processTable, start } = make();
      const environment = { A: "1", EMPTY: "", WITH_EQUALS: "b=c", UNICODE: "é" };
      const child = await start(["60", "--", " two words", "é)("], environment);
      const seen = processTable.look(child.pid);
      const self = processTable.self();
      expect(seen).toMatchObject({ pid: child.pid, parent: self.pid, zombie: false, bootId: self.bootId });
      expect(processTable.argv(child.pid)?.slice(-4)).toEqual(["60", "--", " two words", "é)("]);
      expect(processTable.environment(child.pid)).toEqual(environment);
      expect(processTable.children(self.pid)).toContain(child.pid);
      expect(processTable.pids()).toEqual(expect.arrayContaining([self.pid, child.pid]));
      expect(seen && isAlive(processTable, seen)).toBe(true);
      await child.end();
      expect(seen && isAlive(processTable, seen)).toBe(false);
      expect(processTable.look(child.pid)).toBeUndefined();
      expect(processTable.argv(child.pid)).toBeUndefined();
      expect(processTable.environment(child.pid)).toBeUndefined();
      expect(processTable.children(self.pid)).not.toContain(child.pid);
      expect(processTable.pids()).not.toContain(child.pid);
    });

    it("tells a recycled pid and another boot from the process", () => {
      const { processTable } = make();
      const self = processTable.self();
      expect(isAlive(processTable, { ...self, start: `${self.start}1` })).toBe(false);
      expect(isAlive(processTable, { ...self, bootId: "other" })).toBe(false);
    });

    it("answers nothing for a pid that cannot be", () => {
      const { processTable } = make();
      for (const pid of [0, -1, 1.5, Number.NaN, 2 ** 31, 2 ** 60]) {
        expect(processTable.look(pid)).toBeUndefined();
        expect(processTable.children(pid)).toEqual([]);
        expect(processTable.argv(pid)).toBeUndefined();
        expect(processTable.environment(pid)).toBeUndefined();
      }
    });
  });
}
