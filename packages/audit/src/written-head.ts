import { Failure } from "@agent-control/base";
import type { Head } from "./audit.ts";

/** A head as a person keeps it: `SEQ:HASH`. */
export function renderHead({ seq, hash }: Head): string {
  return `${seq}:${hash}`;
}

/** Reads what `renderHead` wrote; throws a `usage` Failure, code `head-malformed`, for anything else. */
export function parseHead(text: string): Head {
  const match = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text);
  if (match?.[1] && match[2]) return { seq: Number(match[1]), hash: match[2] };
  throw new Failure("usage", {
    code: "head-malformed",
    message: "A head is SEQ:HASH, a number and 64 hexadecimal digits",
    next: "Give what audit head printed",
  });
}
