import { join } from "node:path";
import { Failure, type Files } from "@agent-control/base";
import type { StatusRecord } from "./activity.ts";
import { parseRecord, renderRecord } from "./record-file.ts";
import { isRecordId } from "./record-id.ts";

export interface RecordStore {
  /** Undefined when no readable record has this id. */
  read(id: string): StatusRecord | undefined;
  /** Every readable record, parsed again only when its file changed. */
  all(): StatusRecord[];
  write(record: StatusRecord): void;
  /** False when it was gone already. */
  remove(id: string): boolean;
}

interface Parsed {
  readonly version: string;
  readonly record: StatusRecord | undefined;
}

const ending = ".json";
const sizeLimit = 64 * 1024;

/** The record files of one directory. What cannot be read as a record there is skipped. */
export function createRecordStore(files: Files, directory: string): RecordStore {
  let parsed = new Map<string, Parsed>();
  const pathOf = (id: string) => join(directory, `${id}${ending}`);

  function read(id: string): StatusRecord | undefined {
    return skipUnreadable(() => {
      const bytes = files.read(pathOf(id), sizeLimit);
      return bytes && parseRecord(id, bytes);
    });
  }

  function all(): StatusRecord[] {
    const seen = new Map(idsIn(files.list(directory)).map((id) => [id, parse(id)]));
    parsed = seen;
    return [...seen.values()].flatMap(({ record }) => record ?? []);
  }

  // A record's file is replaced whole: another inode and time mean another record.
  function parse(id: string): Parsed {
    const file = skipUnreadable(() => files.look(pathOf(id)));
    const version = `${file?.id} ${file?.modifiedMs} ${file?.size}`;
    const known = parsed.get(id);
    return known?.version === version ? known : { version, record: read(id) };
  }

  return {
    read,
    all,
    // No fsync: the record of a running process need not outlive a power cut.
    write: (record) => files.write(pathOf(record.id), renderRecord(record), { durable: false }),
    remove: (id) => files.remove(pathOf(id)),
  };
}

function idsIn(names: readonly string[]): string[] {
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter(isRecordId);
}

function skipUnreadable<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure && error.code.startsWith("file-")) return undefined;
    throw error;
  }
}
