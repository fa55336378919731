import { join } from "node:path";
import {
  type Clock,
  Failure,
  type Files,
  isAlive,
  type Locks,
  type ProcessTable,
  type Watch,
} from "@agent-control/base";
import type { Activity, ActivityEvent, StatusRecord } from "./activity.ts";
import { fold } from "./fold.ts";
import { recordId } from "./record-id.ts";
import { createRecordStore } from "./record-store.ts";
import { createSequence } from "./sequence.ts";

export interface ActivityPorts {
  readonly files: Files;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly processTable: ProcessTable;
  readonly watch: Watch;
  /** Where the records lie, one file each. */
  readonly directory: string;
  /** Where their locks lie; `<directory>/locks` when left out. */
  readonly runtime?: string;
}

/** Longer than the 5 s that a harness waits for its hook: an event is lost only when the harness gives up. */
const applyWaitMs = 10_000;
/** How long a hook waits for the lock before it looks whether its event is still news. */
const lookAgainMs = 200;
const settleWaitMs = 200;

/** The status records of one state directory; touches nothing until it is used. */
export function createActivity(ports: ActivityPorts): Activity {
  const { clock, processTable, watch, directory, runtime = join(directory, "locks") } = ports;
  const store = createRecordStore(ports.files, directory);

  function underLock<T>(id: string, waitMs: number, body: () => T): Promise<T> {
    return ports.locks.hold(join(runtime, `${id}.lock`), { waitMs, what: `the status record ${id}` }, body);
  }

  async function apply(event: ActivityEvent): Promise<StatusRecord | undefined> {
    const id = recordId(event);
    ports.files.makeDirectory(directory);
    const deadline = clock.monotonic() + applyWaitMs;
    for (;;) {
      // In a crowd of hooks most find a newer record while they wait, and need no lock at all.
      const known = ofThisBoot(id);
      if (known && fold(id, known, event) === known) return known;
      const left = deadline - clock.monotonic();
      try {
        return await underLock(id, Math.min(left, lookAgainMs), () => foldIn(id, event));
      } catch (error) {
        if (!(error instanceof Failure && error.code === "busy") || left <= lookAgainMs) throw error;
      }
    }
  }

  // Where the end overtook the session's other events, its process is gone and settles what they write.
  function foldIn(id: string, event: ActivityEvent): StatusRecord | undefined {
    const previous = ofThisBoot(id);
    if (!previous && event.status === "ended") return undefined;
    const record = fold(id, previous, event);
    if (record !== previous) store.write(record);
    return record;
  }

  function ofThisBoot(id: string): StatusRecord | undefined {
    const stored = store.read(id);
    return stored && isOfThisBoot(stored) ? stored : undefined;
  }

  // Sequences restart with the machine. A record without a process tells its boot only by the time of its event.
  function isOfThisBoot(record: StatusRecord): boolean {
    if (record.process) return record.process.bootId === processTable.bootId();
    return record.ts >= clock.now() - clock.monotonic();
  }

  function isGone(record: StatusRecord): boolean {
    if (record.status === "ended") return false;
    return record.process ? !isAlive(processTable, record.process) : !isOfThisBoot(record);
  }

  async function settled(record: StatusRecord): Promise<StatusRecord> {
    if (!isGone(record)) return record;
    const ended = endedNow(record);
    try {
      return await underLock(record.id, settleWaitMs, () => {
        const current = store.read(record.id);
        if (current && !isGone(current)) return current;
        if (current) store.write(ended);
        return ended;
      });
    } catch (error) {
      // Reading goes on when the record cannot be stored: the next look finds the process gone again.
      if (error instanceof Failure) return ended;
      throw error;
    }
  }

  // A sequence of an earlier boot means nothing, and the new time would make it look like one of this boot.
  function endedNow(record: StatusRecord): StatusRecord {
    const sequences = isOfThisBoot(record) ? {} : { sequence: 0, turnSequence: 0 };
    return { ...record, ...sequences, status: "ended", detail: "", tool: "", ts: clock.now() };
  }

  async function list(): Promise<StatusRecord[]> {
    return Promise.all(store.all().map(settled));
  }

  async function ofLaunch(launchId: string): Promise<StatusRecord | undefined> {
    const own = store.all().filter((record) => record.launchId === launchId);
    const newest = own.reduce<StatusRecord | undefined>(newer, undefined);
    return newest && settled(newest);
  }

  function newer(one: StatusRecord | undefined, other: StatusRecord): StatusRecord {
    if (!one) return other;
    const comparable = isOfThisBoot(one) && isOfThisBoot(other);
    const isLater = comparable ? other.sequence > one.sequence : other.ts > one.ts;
    return isLater ? other : one;
  }

  function onChange(listener: () => void): () => void {
    ports.files.makeDirectory(directory);
    return watch.directory(directory, listener);
  }

  async function cleanup(olderThanMs: number): Promise<number> {
    const isOld = (record: StatusRecord | undefined) =>
      record?.status === "ended" && clock.now() - record.ts > olderThanMs;
    const old = (await list()).filter(isOld);
    const removals = old.map(({ id }) =>
      underLock(id, settleWaitMs, () => isOld(store.read(id)) && store.remove(id)),
    );
    return (await Promise.all(removals)).filter(Boolean).length;
  }

  return {
    takeSequence: createSequence(clock, () => processTable.self().pid),
    apply,
    list,
    ofLaunch,
    onChange,
    cleanup,
  };
}
