import type { Files } from "@agent-control/base";
import type { Head } from "./audit.ts";

/** Where the chain ended when the head file was last written. */
export interface LogHead extends Head {
  /** Bytes of the log file up to the end of that line. */
  readonly size: number;
}

/** The head file's content; undefined when there is none or it is damaged. Throws when it is no regular file. */
export function readHead(files: Files, path: string): LogHead | undefined {
  const bytes = files.read(path, 4096);
  const match = bytes && headForm.exec(Buffer.from(bytes).toString("latin1"));
  return match?.[2] === undefined
    ? undefined
    : { seq: Number(match[1]), hash: match[2], size: Number(match[3]) };
}

export function writeHead(files: Files, path: string, { seq, hash, size }: LogHead): void {
  files.write(path, `${JSON.stringify({ seq, hash, size })}\n`, { durable: false });
}

const headForm = /^\{"seq":(\d{1,15}),"hash":"([0-9a-f]{64})","size":(\d{1,15})\}\n$/;
