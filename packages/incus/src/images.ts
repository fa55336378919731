import { type Clock, plainText } from "@agent-control/base";
import * as z from "zod";
import type { Daemon } from "./daemon.ts";
import type { Images } from "./incus.ts";
import { unreadable } from "./incus-failure.ts";
import { accepted, isDone, type Operations } from "./operations.ts";
import { aliasSchema, imageSchema, pulledSchema } from "./wire.ts";

const progressEveryMs = 500;

interface ImagePorts {
  readonly daemon: Daemon;
  readonly operations: Operations;
  readonly clock: Clock;
}

/** Images over REST, as `Images` of the port says. */
export function createImages({ daemon, operations, clock }: ImagePorts): Images {
  return {
    async fingerprintOf(alias, signal) {
      return (await daemon.look(["images", "aliases", alias], aliasSchema, { signal }))?.value.target;
    },
    async list(signal) {
      const query = { recursion: "1" };
      return (await daemon.look(["images"], z.array(imageSchema), { query, signal }))?.value ?? [];
    },
    async pull({ server, alias, as, onProgress = () => {} }, signal) {
      const source = { type: "image", mode: "pull", protocol: "simplestreams", server, alias };
      const body = { source, aliases: [{ name: as, description: "" }] };
      const call = { method: "POST", path: ["images"], body } as const;
      const over = new AbortController();
      const follow = (id: string) => void followDownload({ operations, clock, onProgress }, id, over.signal);
      const ended = await operations.run(call, signal, follow).finally(() => over.abort());
      const pulled = pulledSchema.safeParse(accepted(ended, `pull ${alias} from ${server}`));
      if (!pulled.success) throw unreadable("a pulled image", pulled.error);
      return pulled.data.fingerprint;
    },
    async delete(fingerprint, signal) {
      const ended = await operations.run({ method: "DELETE", path: ["images", fingerprint] }, signal);
      return isDone(ended, `delete the image ${fingerprint}`);
    },
  };
}

interface Following {
  readonly operations: Operations;
  readonly clock: Clock;
  readonly onProgress: (text: string) => void;
}

async function followDownload(following: Following, id: string, over: AbortSignal): Promise<void> {
  const { operations, clock, onProgress } = following;
  let shown = "";
  try {
    for (;;) {
      const text = String((await operations.look(id, over))?.metadata["download_progress"] ?? "");
      if (text !== shown) onProgress(plainText(text));
      shown = text;
      await clock.sleep(progressEveryMs, over);
    }
  } catch {
    // The pull is over, or its own wait fails for the same reason.
  }
}
