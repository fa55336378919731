import type { Files } from "@agent-control/base";
import type { Head } from "./audit.ts";

/** Where the chain ended when the head file was last written. */
export interface LogHead extends Head {
  /** Bytes of the log file up to the end of that line. */
  readonly size: number;
}

/** The newest whole record of the head file; undefined when there is none. Throws when it is no regular file. */
export function readHead(files: Files, path: string): LogHead | undefined {
  const size = files.look(path)?.size ?? 0;
  const tail = files.readAt(path, Math.max(0, size - tailBytes), tailBytes);
  const match = tail && [...Buffer.from(tail).toString("latin1").matchAll(recordForm)].at(-1);
  return match?.[2] === undefined
    ? undefined
    : { seq: Number(match[1]), hash: match[2], size: Number(match[3]) };
}

/** Adds a record; a file of many records is replaced by its newest one. Appending is what a disk does fastest. */
export function writeHead(files: Files, path: string, { seq, hash, size }: LogHead): void {
  const record = `${JSON.stringify({ seq, hash, size })}\n`;
  if ((files.look(path)?.size ?? 0) < fullBytes) files.append(path, record);
  else files.write(path, record, { durable: false });
}

const recordForm = /^\{"seq":(\d{1,15}),"hash":"([0-9a-f]{64})","size":(\d{1,15})\}\n/gm;
const tailBytes = 512;
const fullBytes = 65_536;
