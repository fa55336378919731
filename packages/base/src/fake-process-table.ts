import type { ProcessIdentity, ProcessSeen, ProcessTable } from "./ports.ts";

export interface FakeProcess {
  readonly pid: number;
  /** 1 when left out. */
  readonly parent?: number;
  readonly name?: string;
  /** The effective user of this test (1000) when left out. */
  readonly uid?: number;
  /** A fresh start time when left out. */
  readonly start?: string;
  readonly argv?: readonly string[];
  /** Undefined models an environment that is not ours to read. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface FakeProcessTable extends ProcessTable {
  /** Starts a process; throws when the pid is taken. */
  add(process: FakeProcess): ProcessIdentity;
  /** Ends a process: gone at once, or a zombie until `exit` is called again. Its children go to pid 1. */
  exit(pid: number, options?: { readonly zombie?: boolean }): void;
  /** Ends the process and starts another one with its pid and a later start time. */
  reuse(pid: number, process?: Omit<FakeProcess, "pid">): ProcessIdentity;
  /** From now on `look` and the rest throw this, as without /proc; undefined ends it. */
  breakWith(error: Error | undefined): void;
}

interface Row {
  readonly process: FakeProcess;
  readonly seen: ProcessSeen;
}

/** Processes of a machine that runs only what it is told; it starts with this process (pid 4242, child of 1). */
export function fakeProcessTable(own: FakeProcess = { pid: 4242, name: "node" }): FakeProcessTable {
  const bootId = "00000000-0000-4000-8000-000000000001";
  const rows = new Map<number, Row>();
  let ticks = 1_000;
  let broken: Error | undefined;

  function add(process: FakeProcess): ProcessIdentity {
    if (rows.has(process.pid)) throw new Error(`fakeProcessTable: pid ${process.pid} is taken`);
    ticks += 100;
    const seen: ProcessSeen = {
      pid: process.pid,
      start: process.start ?? String(ticks),
      bootId,
      parent: process.parent ?? 1,
      name: process.name ?? "program",
      zombie: false,
      uid: process.uid ?? 1000,
    };
    rows.set(process.pid, { process, seen });
    return identityOf(seen);
  }

  function exit(pid: number, options: { readonly zombie?: boolean } = {}): void {
    const row = rows.get(pid);
    if (!row) throw new Error(`fakeProcessTable: no process ${pid} to end`);
    if (options.zombie) rows.set(pid, { ...row, seen: { ...row.seen, zombie: true } });
    else rows.delete(pid);
    for (const [child, { process, seen }] of rows) {
      if (seen.parent === pid) rows.set(child, { process, seen: { ...seen, parent: 1 } });
    }
  }

  function rowOf(pid: number): Row | undefined {
    if (broken) throw broken;
    return rows.get(pid);
  }

  function livingRow(pid: number): Row | undefined {
    const row = rowOf(pid);
    return row?.seen.zombie ? undefined : row;
  }

  const self = add(own);
  return {
    add,
    exit,
    reuse(pid, process = {}) {
      exit(pid);
      return add({ ...process, pid });
    },
    breakWith: (error) => {
      broken = error;
    },
    bootId: () => bootId,
    self: () => self,
    look: (pid) => rowOf(pid)?.seen,
    pids: () => [...rows.keys()].filter(livingRow).sort((a, b) => a - b),
    children: (pid) =>
      [...rows.values()]
        .filter(({ seen }) => livingRow(seen.pid) && seen.parent === pid)
        .map(({ seen }) => seen.pid)
        .sort((a, b) => a - b),
    environment: (pid) => livingRow(pid)?.process.environment,
    argv: (pid) => {
      const row = livingRow(pid);
      return row && (row.process.argv ?? [row.seen.name]);
    },
  };
}

function identityOf({ pid, start, bootId }: ProcessSeen): ProcessIdentity {
  return { pid, start, bootId };
}
