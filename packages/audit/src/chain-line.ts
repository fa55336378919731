import { createHash } from "node:crypto";
import type { AuditEntry, Head } from "./audit.ts";

/** What the first line of a log chains from. */
export const genesis: Head = { seq: 0, hash: "0".repeat(64) };

export interface RenderedLine {
  /** One line of JSON with its LF. */
  readonly text: string;
  /** Its own number and hash. */
  readonly link: Head;
}

/**
 * The line that follows `previous`. `hash` is the SHA-256 of the line's UTF-8 bytes without its own
 * `,"hash":"…"`; `seq`, `prev`, `hash` and `call` belong to the log and replace fields of these names.
 */
export function renderLine(entry: AuditEntry, previous: Head, call: string | undefined): RenderedLine {
  const { ts, actor, action, outcome, exit_code, ms, ...rest } = entry;
  const fields = Object.fromEntries(Object.entries(rest).filter(([name]) => !reserved.has(name)));
  const seq = previous.seq + 1;
  const body = JSON.stringify({
    seq,
    ts,
    actor,
    action,
    ...fields,
    outcome,
    exit_code,
    ms,
    ...(call === undefined ? {} : { call }),
    prev: previous.hash,
  });
  const hash = sha256(body);
  return { text: `${body.slice(0, -1)},"hash":"${hash}"}\n`, link: { seq, hash } };
}

/** A line of the log that is whole and whose hash is right; whether it follows its neighbour is another question. */
export interface SoundLine extends Head {
  readonly kind: "sound";
  readonly prev: string;
  readonly action: unknown;
  readonly detail: unknown;
  readonly bytes: unknown;
  readonly sha256: unknown;
  readonly call: string | undefined;
}

/** `torn` is no JSON at all, as a write that did not end leaves it; `foreign` is JSON that the log did not write. */
export type LineSeen = SoundLine | { readonly kind: "torn" } | { readonly kind: "foreign" };

/** Reads the bytes of one line, without its LF. */
export function readLine(bytes: Uint8Array): LineSeen {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const fields = parseJson(text);
  if (fields === undefined) return { kind: "torn" };
  const { seq, prev, hash, action, detail, bytes: count, sha256: sum, call } = asRecord(fields);
  if (typeof seq !== "number" || typeof prev !== "string" || typeof hash !== "string") return foreign;
  const end = Buffer.from(`,"hash":"${hash}"}`);
  const body = bytes.subarray(0, -end.length);
  if (!end.equals(bytes.subarray(-end.length)) || sha256(body, "}") !== hash) return foreign;
  return {
    ...{ kind: "sound", seq, prev, hash, action, detail, bytes: count, sha256: sum },
    call: typeof call === "string" ? call : undefined,
  };
}

/** Whether the line is the next one of the chain that ends in `link`. */
export function follows(line: LineSeen, link: Head): line is SoundLine {
  return line.kind === "sound" && line.seq === link.seq + 1 && line.prev === link.hash;
}

const reserved = new Set(["seq", "prev", "hash", "call"]);
const foreign: LineSeen = { kind: "foreign" };

function sha256(...parts: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** `undefined` when the text is no JSON; JSON itself cannot say undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
