import { createHash } from "node:crypto";
import type { Calls } from "./fake-calls.ts";
import { no } from "./fake-store.ts";
import type { Images } from "./incus.ts";

export interface ImagePorts {
  readonly calls: Calls;
  /** Fingerprints by alias. */
  readonly images: Map<string, string>;
}

/** Images in memory, as `Images` of the port says; every server has every image. */
export function createFakeImages({ calls, images }: ImagePorts): Images {
  return {
    fingerprintOf: (alias, signal) =>
      calls.run("images.fingerprintOf", alias, { signal, body: () => images.get(alias) }),
    list: (signal) =>
      calls.run("images.list", "", {
        signal,
        body: () =>
          [...images].map(([alias, fingerprint]) => ({
            fingerprint,
            aliases: [alias],
            description: alias,
            size: 0,
          })),
      }),
    pull: ({ server, alias, as, onProgress }, signal) =>
      calls.run("images.pull", as, {
        signal,
        body: () => {
          if (images.has(as)) throw no("name-taken", as);
          onProgress?.("100%");
          const fingerprint = fakeFingerprint(`${server} ${alias}`);
          images.set(as, fingerprint);
          return fingerprint;
        },
      }),
    delete: (fingerprint, signal) =>
      calls.run("images.delete", fingerprint, {
        signal,
        body: () => {
          const aliases = [...images.keys()].filter((alias) => images.get(alias) === fingerprint);
          for (const alias of aliases) images.delete(alias);
          return aliases.length > 0;
        },
      }),
  };
}

/** Sixty-four hexadecimal digits made of a text. */
export function fakeFingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
