import type { Clock } from "@agent-control/base";
import type { Connection } from "./connection.ts";
import { readReply } from "./daemon.ts";
import { withDeadline } from "./deadline.ts";
import type { Answer, Request } from "./exchange.ts";
import { type FileFacts, factsOf, fileOf } from "./guest-file.ts";
import type { GuestFile } from "./incus.ts";
import { fileTooSlow, refused } from "./incus-failure.ts";

/** A path in an instance. */
export interface Place {
  readonly instance: string;
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

/** What Incus's file API can do, one request each; a thing that is not there is undefined or false. */
export interface FileRequests {
  read(place: Place, limit?: number): Promise<GuestFile | undefined>;
  /** Links are not followed, but where the path ends with a slash. */
  look(place: Place): Promise<FileFacts | undefined>;
  post(place: Place, headers: Readonly<Record<string, string>>, bytes: Uint8Array): Promise<void>;
  remove(place: Place): Promise<boolean>;
}

// A FIFO without a writer would be waited for without end. The largest files take a few seconds.
const longestMs = 60_000;

export function createFileRequests(connection: Connection, clock: Clock): FileRequests {
  function send(place: Place, request: Omit<Request, "path" | "query" | "signal">): Promise<Answer> {
    const late = () => fileTooSlow(place.path);
    return withDeadline({ clock, ms: longestMs, signal: place.signal, late }, (signal) =>
      connection.send({ ...request, path: apiPath(place), query: { path: place.path }, signal }),
    );
  }

  async function read(place: Place, limit?: number): Promise<GuestFile | undefined> {
    const answer = await send(place, { method: "GET", ...(limit === undefined ? {} : { limit }) });
    if (!isThere(answer, place)) return undefined;
    // The limit is for files: half a list of names cannot be read.
    return answer.cut && factsOf(answer).kind !== "file" ? read(place) : fileOf(answer);
  }

  return {
    read,
    async look(place) {
      const answer = await send(place, { method: "HEAD" });
      if (answer.status === 200) return factsOf(answer);
      // An answer to HEAD has no text that says why.
      const again = await send(place, { method: "GET", limit: 0 });
      return isThere(again, place) ? factsOf(again) : undefined;
    },
    async post(place, headers, bytes) {
      // Without it Incus may take the bytes for a form of its own.
      const type = { "content-type": "application/octet-stream" };
      const answer = await send(place, { method: "POST", bytes, headers: { ...type, ...headers } });
      const reply = readReply(answer, apiPath(place));
      if (reply.type === "refused") throw refused(reply.refusal, `write ${place.path} in ${place.instance}`);
    },
    remove: async (place) => isThere(await send(place, { method: "DELETE" }), place),
  };
}

/** False when nothing is at the place; throws when the daemon says anything else than that or yes. */
function isThere(answer: Answer, place: Place): boolean {
  if (answer.status === 200) return true;
  const reply = readReply(answer, apiPath(place));
  if (reply.type === "refused" && reply.refusal.code !== "not-found") {
    throw refused(reply.refusal, `use ${place.path} in ${place.instance}`);
  }
  return false;
}

function apiPath({ instance }: Place): readonly string[] {
  return ["instances", instance, "files"];
}
