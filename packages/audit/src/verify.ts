import { createHash, type Hash } from "node:crypto";
import { basename } from "node:path";
import type { Files } from "@agent-control/base";
import type { Head } from "./audit.ts";
import { genesis, readLine, type SoundLine } from "./chain-line.ts";
import { readHead } from "./head-file.ts";
import { type LogPaths, logPaths, rotatedSegments } from "./log-paths.ts";
import { type RawLine, rawLines } from "./raw-lines.ts";

export interface VerifyOptions {
  readonly files: Files;
  /** The log file that `createAudit` was given. */
  readonly path: string;
  /** A head kept elsewhere, which the log must still contain. */
  readonly from?: Head;
}

export interface Verification {
  readonly ok: boolean;
  /** Sound lines before the end or the first bad line. */
  readonly lines: number;
  readonly firstBad?: BadLine;
  /** What is worth knowing and no sign of tampering, e.g. a tail torn by a crash. */
  readonly notes: readonly string[];
}

export interface BadLine {
  /** The file's name, e.g. `control.jsonl.3`. */
  readonly segment: string;
  /** Counted from 1 in that file. */
  readonly line: number;
  /** The number that the line should have. */
  readonly seq: number;
  /** One sentence part: "its hash is wrong". */
  readonly reason: string;
}

/** Reads a log from its first line to its last and names the first that is not as it was written. Writes nothing. */
export function verifyLog({ files, path, from }: VerifyOptions): Verification {
  const paths = logPaths(path);
  for (let tries = 1; ; tries += 1) {
    const segments = rotatedSegments(files, paths);
    const result = verifySegments(files, paths, { segments, from });
    // A rotation while reading would look like a gap.
    if (result.ok || tries === 3 || segments.length === rotatedSegments(files, paths).length) return result;
  }
}

interface Anchor extends Head {
  readonly name: string;
}

/** Lines that are no JSON: a tear, if the line after them says so. */
interface Tear {
  readonly place: BadLine;
  readonly hash: Hash;
  bytes: number;
}

function verifySegments(
  files: Files,
  paths: LogPaths,
  { segments, from }: { segments: readonly string[]; from: Head | undefined },
): Verification {
  const head = readHead(files, paths.head);
  const anchors: Anchor[] = [
    ...(head ? [{ ...head, name: "the head file" }] : []),
    ...(from ? [{ ...from, name: "the kept head" }] : []),
  ];
  const reader = createChainReader(anchors);
  for (const path of [...segments, paths.log]) {
    reader.enter(basename(path));
    for (const raw of rawLines(files, path)) {
      const bad = reader.read(raw);
      if (bad) return { ok: false, lines: reader.lines(), firstBad: bad, notes: reader.notes };
    }
  }
  const bad = reader.finish(head !== undefined);
  return { ok: !bad, lines: reader.lines(), ...(bad ? { firstBad: bad } : {}), notes: reader.notes };
}

function createChainReader(anchors: readonly Anchor[]) {
  const notes: string[] = [];
  let link = genesis;
  let segment = "";
  let number = 0;
  let tear: Tear | undefined;
  let closed = true;

  const here = (reason: string): BadLine => ({ segment, line: number, seq: link.seq + 1, reason });

  function read(raw: RawLine): BadLine | undefined {
    number += 1;
    closed = raw.closed;
    const line = readLine(raw.bytes);
    if (line.kind === "torn") return addToTear(raw);
    if (line.kind === "foreign")
      return tear?.place ?? here("it was changed or is not from this log: its hash is wrong");
    if (!tear) return step(line);
    return explains(line, tear) ? endTear(tear, line) : tear.place;
  }

  function addToTear(raw: RawLine): undefined {
    tear ??= { place: here("it is not a line of this log"), hash: createHash("sha256"), bytes: 0 };
    tear.hash.update(raw.bytes).update("\n");
    tear.bytes += raw.bytes.length + 1;
  }

  function endTear(ended: Tear, line: SoundLine): BadLine | undefined {
    notes.push(`${at(ended.place)}: ${ended.bytes} bytes were torn by a crash; the next line says so`);
    tear = undefined;
    return step(line);
  }

  function step(line: SoundLine): BadLine | undefined {
    if (line.seq !== link.seq + 1) return here(`line ${link.seq + 1} was expected and ${line.seq} is there`);
    if (line.prev !== link.hash)
      return here("it does not continue the line before it, or that one was changed");
    const repair = line.action === "audit" ? line.detail : undefined;
    if (repair === "head-lost")
      return here("the head file was missing here: lines before it may have been cut");
    if (repair === "shortened")
      notes.push(`${at(here(""))}: the end of the file was cut and no line is missing`);
    const broken = anchors.find(({ seq, hash }) => seq === line.seq && hash !== line.hash);
    if (broken) return here(`${broken.name} knows another line of this number`);
    link = { seq: line.seq, hash: line.hash };
    return undefined;
  }

  function finish(hasHead: boolean): BadLine | undefined {
    const missing = anchors.find(({ seq }) => seq > link.seq);
    if (tear && (closed || missing)) return tear.place;
    number += 1;
    if (missing) return here(`the log ends before line ${missing.seq}, which ${missing.name} knows`);
    if (!hasHead && link.seq > 0)
      return here("the head file is missing: lines after this one may have been cut");
    if (tear) notes.push(`${at(tear.place)}: the last ${tear.bytes - 1} bytes are a torn line`);
    return undefined;
  }

  return {
    notes,
    lines: () => link.seq,
    enter(name: string) {
      segment = name;
      number = 0;
    },
    read,
    finish,
  };
}

/** Whether the line is the log's own report of exactly these bytes. */
function explains(line: SoundLine, { hash, bytes }: Tear): boolean {
  const isReport = line.action === "audit" && line.detail === "torn-tail" && line.bytes === bytes;
  return isReport && line.sha256 === hash.copy().digest("hex");
}

function at({ segment, line }: BadLine): string {
  return `${segment}:${line}`;
}
