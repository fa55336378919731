import * as z from "zod";
import type { Daemon } from "./daemon.ts";
import type { Named } from "./incus.ts";
import { accepted, isDone, type Operations } from "./operations.ts";
import { overlaid } from "./overlay.ts";
import { shownSchema } from "./wire.ts";

export interface Kind<Seen> {
  /** The element of the API's path, e.g. "storage-pools". */
  readonly collection: string;
  readonly schema: z.ZodType<Seen>;
}

/** The things of one kind over REST, as `Named` of the port says. */
export function createNamed<Seen extends object, Fields extends object>(
  { daemon, operations }: { readonly daemon: Daemon; readonly operations: Operations },
  { collection, schema }: Kind<Seen>,
): Named<Seen, Fields> {
  return {
    async list(signal) {
      const query = { recursion: "1" };
      return (await daemon.look([collection], z.array(schema), { query, signal }))?.value ?? [];
    },
    async get(name, signal) {
      const seen = await daemon.look([collection, name], schema, { signal });
      return seen && { ...seen.value, etag: seen.etag };
    },
    async create(name, fields, signal) {
      const call = { method: "POST", path: [collection], body: { name, ...fields } } as const;
      accepted(await operations.run(call, signal), `create ${name} in ${collection}`);
    },
    async change(name, change, etag, signal) {
      // Not a PATCH: that of an ACL without its rules removes them.
      const path = [collection, name];
      const seen = await daemon.look(path, shownSchema, { signal });
      if (seen?.etag !== etag) return false;
      const call = { method: "PUT", path, headers: { "if-match": etag } } as const;
      const ended = await operations.run({ ...call, body: overlaid(seen.value, change) }, signal);
      return isDone(ended, `change ${name} in ${collection}`);
    },
    async delete(name, signal) {
      const ended = await operations.run({ method: "DELETE", path: [collection, name] }, signal);
      return isDone(ended, `delete ${name} in ${collection}`);
    },
  };
}
