import type { Answer } from "./exchange.ts";
import type { GuestFile } from "./incus.ts";
import { badRequest, unreadable } from "./incus-failure.ts";
import { fileNamesSchema } from "./wire.ts";

export interface FileFacts {
  readonly kind: "file" | "directory" | "symlink";
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export type Owner = Omit<FileFacts, "kind">;

/** What the headers of a file's answer say. */
export function factsOf({ headers }: Answer): FileFacts {
  const kind = headers["x-incus-type"];
  if (kind !== "file" && kind !== "directory" && kind !== "symlink") throw unreadable("a file's kind");
  return {
    kind,
    mode: Number.parseInt(String(headers["x-incus-mode"]), 8),
    uid: Number(headers["x-incus-uid"]),
    gid: Number(headers["x-incus-gid"]),
  };
}

/** The file of an answer to GET. */
export function fileOf(answer: Answer): GuestFile {
  const { kind, ...owner } = factsOf(answer);
  if (kind === "symlink") return { kind, target: answer.bytes.toString() };
  if (kind === "file") return { kind, bytes: answer.bytes, ...owner, cut: answer.cut };
  const list = fileNamesSchema.safeParse(JSON.parse(answer.bytes.toString()));
  if (!list.success) throw unreadable("a directory", list.error);
  return { kind, names: list.data.metadata.toSorted() };
}

/** The headers that make a file `kind` with this owner and mode; throws for a mode that Incus would misread. */
export function headersOf(kind: FileFacts["kind"], { mode, uid, gid }: Owner): Record<string, string> {
  if (!Number.isInteger(mode) || mode < 0 || mode > 0o777) {
    throw badRequest(
      "guest-file-mode",
      `${mode} is not a mode between 0 and 0777`,
      "Set other bits with a program in the guest",
    );
  }
  return {
    "x-incus-type": kind,
    "x-incus-mode": `0${mode.toString(8).padStart(3, "0")}`,
    "x-incus-uid": String(uid),
    "x-incus-gid": String(gid),
    "x-incus-write": "overwrite",
  };
}
