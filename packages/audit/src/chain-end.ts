import { createHash } from "node:crypto";
import type { Files } from "@agent-control/base";
import type { Head } from "./audit.ts";
import { follows, genesis, type LineSeen, readLine, type SoundLine } from "./chain-line.ts";
import { type LogHead, readHead } from "./head-file.ts";
import { type LogPaths, rotatedSegments } from "./log-paths.ts";
import { chunksOf, rawLines } from "./raw-lines.ts";

/** What the log says about itself before it goes on. */
export type Repair =
  | { readonly detail: "torn-tail"; readonly bytes: number; readonly sha256: string }
  | { readonly detail: "shortened"; readonly bytes: number }
  | { readonly detail: "head-lost" };

/** Where the next line goes and what it chains from. */
export interface ChainEnd {
  readonly link: Head;
  /** Bytes of the log file now. */
  readonly size: number;
  /** True when nothing was ever logged: the head file must exist before the first line does. */
  readonly fresh: boolean;
  /** True when the file does not end with LF. */
  readonly open: boolean;
  readonly repair?: Repair;
  /** The call of the newest line, when its writer died before the head file knew of it. */
  readonly call?: string;
}

/** Finds the end of the chain; call it under the log's lock. Writes nothing. */
export function findChainEnd(files: Files, paths: LogPaths): ChainEnd {
  const head = readHead(files, paths.head);
  const size = files.look(paths.log)?.size ?? 0;
  if (!head) return withoutHead(files, paths, size);
  if (size === head.size) return { link: head, size, fresh: false, open: false };
  if (size > head.size) return walk(files, paths.log, { offset: head.size, link: head, size });
  const rotated = size === 0 ? rotatedSince(files, paths, head) : undefined;
  return rotated ?? shortened(files, paths, { head, size });
}

/** The head file went missing: no crash does that, because it is there before the first line. */
function withoutHead(files: Files, paths: LogPaths, size: number): ChainEnd {
  const newest = size > 0 ? paths.log : rotatedSegments(files, paths).at(-1);
  if (newest === undefined) return { link: genesis, size, fresh: true, open: false };
  const end = walk(files, newest, { offset: 0, link: undefined, size });
  return { ...end, size, open: size > 0 && end.open, repair: { detail: "head-lost" } };
}

/** A writer died between renaming the full file and saying so in the head file. */
function rotatedSince(files: Files, paths: LogPaths, head: LogHead): ChainEnd | undefined {
  const newest = rotatedSegments(files, paths).at(-1);
  const mark = Buffer.from(`"hash":"${head.hash}"}\n`);
  const before =
    newest === undefined
      ? undefined
      : files.readAt(newest, Math.max(0, head.size - mark.length), mark.length);
  if (newest === undefined || before === undefined || !mark.equals(before)) return undefined;
  const { size } = files.look(newest) ?? head;
  return { ...walk(files, newest, { offset: head.size, link: head, size }), size: 0, open: false };
}

/** The file was cut: the chain goes on from the head, so that the next line does not fit what is left. */
function shortened(files: Files, paths: LogPaths, seen: { head: LogHead; size: number }): ChainEnd {
  const { head, size } = seen;
  const last = size > 0 ? files.readAt(paths.log, size - 1, 1)?.[0] : undefined;
  const repair: Repair = { detail: "shortened", bytes: head.size - size };
  return { link: head, size, fresh: false, open: last !== undefined && last !== 0x0a, repair };
}

interface WalkFrom {
  readonly offset: number;
  /** Undefined: the first sound line is believed. */
  readonly link: Head | undefined;
  readonly size: number;
}

/** Follows the chain through lines that the head file does not know yet. */
function walk(files: Files, path: string, { offset, link: from, size }: WalkFrom): ChainEnd {
  let link = from;
  let end = offset;
  let open = false;
  let torn = true;
  let call: string | undefined;
  for (const raw of rawLines(files, path, offset)) {
    const line = readLine(raw.bytes);
    open = !raw.closed;
    if (continues(line, link)) {
      link = { seq: line.seq, hash: line.hash };
      call = line.call;
      end = raw.end;
    } else if (line.kind !== "torn") torn = false;
  }
  const isTear = open && torn && end < size;
  return {
    ...{ link: link ?? genesis, size, fresh: false, open },
    ...(isTear ? { repair: tearFrom(files, path, end) } : {}),
    ...(call === undefined ? {} : { call }),
  };
}

function continues(line: LineSeen, link: Head | undefined): line is SoundLine {
  return link ? follows(line, link) : line.kind === "sound";
}

/** The torn bytes, counted and hashed with the LF that will close them. */
function tearFrom(files: Files, path: string, offset: number): Repair {
  const hash = createHash("sha256");
  let bytes = 1;
  for (const chunk of chunksOf(files, path, offset)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { detail: "torn-tail", bytes, sha256: hash.update("\n").digest("hex") };
}
