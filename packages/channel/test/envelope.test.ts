import { fakeRandom } from "@agent-control/base/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPairKeys, isUndecryptable, maxTextBytes, openPost, sealPost } from "../src/index.ts";
import { channel, expected, open, person, seal } from "./people.ts";

const ada = person("sess:ada", 1);
const bea = person("sess:bea", 2);
const cem = person("sess:cem", 3);
const everybody = Array.from({ length: 12 }, (_, index) => person(`sess:p${index}`, 100 + index));

describe("sealing and opening", () => {
  it("S-10 opens for every recipient, the author included, with exactly the text", async () => {
    const text = "überall – \u0000 \u202e 🙂\n";
    const { bytes } = await seal(ada, [bea, ada], { text });
    for (const reader of [ada, bea]) {
      expect(open(bytes, ada, reader)).toMatchObject({
        opened: true,
        text,
        n: 1,
        authorName: ada.member.name,
      });
    }
  });

  it("S-10 any subset of recipients opens exactly its own", async () => {
    const subsets = fc.tuple(
      fc.subarray(everybody, { minLength: 1 }),
      fc.string({ minLength: 1, maxLength: 200, unit: "binary" }),
    );
    await fc.assert(
      fc.asyncProperty(subsets, async ([chosen, text]) => {
        const { bytes } = await seal(ada, chosen, { text: `${text}x` });
        for (const reader of everybody) {
          const opened = open(bytes, ada, reader);
          if (chosen.includes(reader)) expect(opened).toMatchObject({ opened: true });
          else expect(opened).toEqual({ opened: false, reason: "not-addressed" });
        }
      }),
      { numRuns: 25 },
    );
  });

  it("S-11 one bit flipped anywhere is detected", async () => {
    const { bytes } = await seal(ada, [bea, cem]);
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      expect(open(flipped, ada, bea), `byte ${at}`).toMatchObject({ opened: false });
    }
  });

  it("S-11 garbage, cut and lengthened envelopes are malformed, never an exception", async () => {
    const { bytes } = await seal(ada, [bea]);
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.uint8Array({ maxLength: 400 }).map((tail) => new Uint8Array([...bytes.subarray(0, 4), ...tail])),
      fc.nat(bytes.length - 1).map((length) => bytes.subarray(0, length)),
      fc.uint8Array({ minLength: 1, maxLength: 9 }).map((tail) => new Uint8Array([...bytes, ...tail])),
    );
    fc.assert(
      fc.property(garbage, (odd) => {
        expect(open(odd, ada, bea)).toEqual({ opened: false, reason: "malformed" });
      }),
    );
  });

  it("S-11 says where a post does not belong before it opens anything", async () => {
    const { bytes } = await seal(ada, [bea]);
    const cases = [
      [{ instance: "inst-2" }, "other-instance"],
      [{ author: "sess:cem" }, "other-author"],
      [{ channelId: "chan-2" }, "other-channel"],
      [{ channelName: "plots" }, "other-channel"],
      [{ authorKeys: cem.keys }, "other-author-keys"],
      [{ authorKeys: { signKey: ada.keys.signKey, boxKey: cem.keys.boxKey } }, "other-author-keys"],
      [{ principal: "sess:cem" }, "not-addressed"],
      [{ boxKey: cem.keys.boxKey }, "other-key"],
    ] as const;
    for (const [change, reason] of cases) {
      expect(open(bytes, ada, bea, change)).toEqual({ opened: false, reason });
    }
  });

  it("S-11 a reader whose secret changed under the same public key cannot open, and counts it as not its own", async () => {
    const { bytes } = await seal(ada, [bea]);
    const opened = openPost(bytes, expected(ada, bea), createPairKeys(cem.keys.boxSecret));
    expect(opened).toEqual({ opened: false, reason: "slot-unreadable" });
    expect(isUndecryptable("slot-unreadable") && isUndecryptable("other-key")).toBe(true);
    expect(isUndecryptable("bad-signature")).toBe(false);
  });

  it("S-10 nothing of the text or its length class but the ciphertext is in the envelope", async () => {
    const marker = "PLAINTEXT-MARKER-4711";
    const { bytes } = await seal(ada, [bea], { text: marker });
    const planted = Buffer.concat([bytes, Buffer.from(marker)]);
    expect(planted.includes(marker)).toBe(true);
    expect(Buffer.from(bytes).includes(marker)).toBe(false);
    expect(Buffer.from(bytes).toString("base64").includes(Buffer.from(marker).toString("base64"))).toBe(
      false,
    );
  });

  it("S-10 no nonce is used twice", async () => {
    const ports = { random: fakeRandom(5), pairKeys: ada.pairKeys, breathe: async () => {} };
    const drawn: string[] = [];
    const random = {
      bytes: (count: number) => {
        const bytes = ports.random.bytes(count);
        if (count === 24) drawn.push(Buffer.from(bytes).toString("hex"));
        return bytes;
      },
    };
    const recipients = everybody.map(({ member }) => ({ ...member, n: 1 }));
    const post = {
      ...channel,
      text: "x",
      author: ada.member,
      keys: ada.keys,
      epoch: new Uint8Array(16),
      time: 1,
      recipients,
    };
    await sealPost(post, { ...ports, random });
    expect(new Set(drawn).size).toBe(1 + everybody.length);
  });

  it("S-10 a text of 65 536 bytes is sealed, one more byte or none is refused", async () => {
    const longest = "ü".repeat(maxTextBytes / 2);
    expect(open((await seal(ada, [bea], { text: longest })).bytes, ada, bea)).toMatchObject({
      text: longest,
    });
    for (const text of ["", `${longest}x`]) {
      await expect(seal(ada, [bea], { text })).rejects.toMatchObject({ code: "post-unsealable" });
    }
  });

  it("S-16 256 members fit, in any order, and a 257th does not", async () => {
    const crowd = Array.from({ length: 257 }, (_, index) => ({
      ...bea,
      member: { ...bea.member, principal: `s:${index}` },
    }));
    const { bytes } = await seal(ada, crowd.slice(0, 256).reverse(), { text: "x".repeat(maxTextBytes) });
    expect(open(bytes, ada, bea, { principal: "s:255" })).toMatchObject({ opened: true });
    expect(bytes.length * (4 / 3)).toBeLessThan(384 * 1024);
    await expect(seal(ada, crowd)).rejects.toMatchObject({ code: "post-unsealable" });
    await expect(seal(ada, [bea, bea])).rejects.toMatchObject({ code: "post-unsealable" });
  });

  it("S-14 nothing is sealed to a low-order key", async () => {
    const odd = { ...bea, member: { ...bea.member, boxKey: new Uint8Array(32) } };
    await expect(seal(ada, [odd])).rejects.toMatchObject({ code: "post-unsealable" });
  });
});
