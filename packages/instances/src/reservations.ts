import { join } from "node:path";
import { asFailure, Failure, type Files, shownText } from "@agent-control/base";
import type { SessionLife } from "./session.ts";

/** The place of an instance that is being made and that Incus does not list yet. */
export interface Reservation {
  readonly instance: string;
  readonly session: string;
}

/** One small file per instance being made, shared by all sessions of a host user; written under the limit's lock. */
export interface Reservations {
  /** Throws `reservation-damaged` for a file that is no reservation: what cannot be read must not be left out of a count. */
  all(): readonly Reservation[];
  /** Those of sessions that live; the files of dead ones are removed. */
  living(all: readonly Reservation[], isAlive: SessionLife): readonly Reservation[];
  has(instance: string): boolean;
  add(reservation: Reservation): void;
  drop(instance: string): void;
}

/** `stateDirectory` is what the sessions share; the files are in its `reservations`. */
export function createReservations(files: Files, stateDirectory: string): Reservations {
  const directory = join(stateDirectory, "reservations");
  const pathOf = (instance: string) => join(directory, `${instance}.json`);
  return {
    all: () =>
      files
        .list(directory)
        .flatMap((file) => fileName.exec(file)?.[1] ?? [])
        .flatMap((instance) => reservationIn(files, pathOf(instance), instance) ?? []),
    living: (all, isAlive) =>
      all.filter(({ instance, session }) => {
        if (isAlive(session)) return true;
        files.remove(pathOf(instance));
        return false;
      }),
    has: (instance) => files.look(pathOf(instance)) !== undefined,
    add({ instance, session }) {
      files.makeDirectory(directory);
      files.write(pathOf(instance), `${JSON.stringify({ schema: 1, session })}\n`, { durable: false });
    },
    drop: (instance) => {
      files.remove(pathOf(instance));
    },
  };
}

const fileName = /^(mcp-[a-z0-9-]{1,59})\.json$/;
const sizeLimit = 4096;

// Undefined when its holder dropped it since the directory was listed.
function reservationIn(files: Files, path: string, instance: string): Reservation | undefined {
  const bytes = bytesOf(files, path);
  if (bytes === undefined) return undefined;
  const session = sessionIn(Buffer.from(bytes).toString("utf8"));
  if (session === undefined) throw damaged(path, "it is not a reservation");
  return { instance, session };
}

function bytesOf(files: Files, path: string): Uint8Array | undefined {
  try {
    return files.read(path, sizeLimit);
  } catch (error) {
    const failure = asFailure(error);
    if (failure === undefined) throw error;
    throw damaged(path, failure.message, failure);
  }
}

function sessionIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("session" in value)) return undefined;
    return typeof value.session === "string" ? value.session : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function damaged(path: string, why: string, cause?: unknown): Failure {
  return new Failure("refused", {
    code: "reservation-damaged",
    message: `Instances in the making cannot be counted with ${shownText(path)}: ${why}`,
    next: "Ask the person to look at that file and remove it",
    cause,
  });
}
