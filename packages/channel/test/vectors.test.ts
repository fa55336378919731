import { readFileSync } from "node:fs";
import { fakeRandom } from "@agent-control/base/testing";
import sodium from "libsodium-wrappers";
import { beforeAll, describe, expect, it } from "vitest";
import {
  createPairKeys,
  keysFromSeeds,
  openPost,
  readMemberRecord,
  sealPost,
  signMemberRecord,
} from "../src/index.ts";

// The documented layout, read a second time by other hands: DataView and libsodium, nothing of src.
const vectors: Vectors = JSON.parse(readFileSync(new URL("./vectors.json", import.meta.url), "utf8"));

interface Vectors {
  readonly instance: string;
  readonly channelId: string;
  readonly channelName: string;
  readonly time: number;
  readonly epoch: string;
  readonly members: readonly {
    readonly principal: string;
    readonly name: string;
    readonly signSeed: string;
    readonly boxSeed: string;
    readonly n: number;
    readonly record: string;
  }[];
  readonly posts: readonly {
    readonly text: string;
    readonly seed: number;
    readonly envelope: string;
    readonly hash: string;
  }[];
}

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("utf8");
const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

const members = vectors.members.map((member) => {
  const keys = keysFromSeeds({ sign: bytesOf(member.signSeed), box: bytesOf(member.boxSeed) });
  return { ...member, instance: vectors.instance, keys, signKey: keys.signKey, boxKey: keys.boxKey };
});
const author = members[0];
if (author === undefined) throw new Error("The vectors name no author");

describe("test vectors", () => {
  beforeAll(() => sodium.ready);

  it("S-10 sealing gives exactly their bytes", async () => {
    for (const post of vectors.posts) {
      const sealed = await sealPost(
        {
          ...vectors,
          text: post.text,
          author,
          keys: author.keys,
          epoch: bytesOf(vectors.epoch),
          recipients: members,
        },
        {
          random: fakeRandom(post.seed),
          pairKeys: createPairKeys(author.keys.boxSecret),
          breathe: async () => {},
        },
      );
      expect({ envelope: hexOf(sealed.bytes), hash: sealed.hash }).toEqual({
        envelope: post.envelope,
        hash: post.hash,
      });
    }
    expect(members.map((member) => hexOf(signMemberRecord(member, member.keys)))).toEqual(
      vectors.members.map(({ record }) => record),
    );
  });

  it("S-10 libsodium, following the README, verifies and opens each for every member", () => {
    for (const post of vectors.posts) {
      for (const { principal, keys, n } of members) {
        const opened = secondImplementation(bytesOf(post.envelope), principal, keys.boxSecret);
        expect(opened).toEqual({ text: post.text, hash: post.hash, n, author: author.principal });
      }
    }
  });

  it("S-10 libsodium verifies the member records", () => {
    for (const { record, principal } of members) {
      const [statement, signature] = fieldsOf(bytesOf(record));
      const [, claimed, , signKey] = fieldsOf(statement ?? new Uint8Array());
      const signed = joined(Buffer.from("agent-control member v1\0"), statement ?? new Uint8Array());
      expect(text(claimed)).toBe(principal);
      expect(sodium.crypto_sign_verify_detached(sig(signature), signed, sig(signKey))).toBe(true);
      expect(readMemberRecord(bytesOf(record))).toMatchObject({ principal });
    }
  });

  it("S-10 what libsodium seals is opened", () => {
    for (const [index, reader] of members.entries()) {
      const envelope = sealedBySodium("from the other side", members, author);
      const opened = openPost(
        envelope,
        {
          ...vectors,
          author: author.principal,
          authorKeys: author.keys,
          principal: reader.principal,
          boxKey: reader.boxKey,
        },
        createPairKeys(reader.keys.boxSecret),
      );
      expect(opened, `member ${index}`).toMatchObject({
        opened: true,
        text: "from the other side",
        n: reader.n,
      });
    }
  });
});

function sig(bytes: Uint8Array | undefined): Uint8Array {
  return bytes ?? new Uint8Array();
}

function fieldsOf(bytes: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
    fields.push(bytes.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

function field(bytes: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return joined(length, bytes);
}

function number(value: number, size: 4 | 8): Uint8Array {
  const bytes = Buffer.alloc(size);
  if (size === 4) bytes.writeUInt32BE(value);
  else bytes.writeBigUInt64BE(BigInt(value));
  return new Uint8Array(bytes);
}

function signedBytes(
  head: readonly Uint8Array[],
  ciphertext: Uint8Array,
  commitment: Uint8Array,
  slots: Uint8Array,
) {
  const count = fieldsOf(slots).length / 5;
  return joined(
    Buffer.from("agent-control post v1\0"),
    ...[...head, sodium.crypto_hash(ciphertext), commitment, number(count, 4), sodium.crypto_hash(slots)].map(
      field,
    ),
  );
}

function committed(contentKey: Uint8Array): Uint8Array {
  return sodium.crypto_hash(joined(Buffer.from("agent-control content key v1\0"), contentKey)).slice(0, 32);
}

function secondImplementation(envelope: Uint8Array, principal: string, boxSecret: Uint8Array) {
  expect(text(envelope.slice(0, 4))).toBe("ACP1");
  const fields = fieldsOf(envelope.slice(4));
  const head = fields.slice(0, 10);
  const [ciphertext, commitment, slots, signature] = fields.slice(10).map(sig);
  if (!ciphertext || !commitment || !slots || !signature) throw new Error("fields are missing");
  const statement = signedBytes(head, ciphertext, commitment, slots);
  if (!sodium.crypto_sign_verify_detached(signature, statement, sig(head[5]))) throw new Error("not signed");
  const all = fieldsOf(slots);
  const at = Array.from({ length: all.length / 5 }, (_, index) => index * 5).find(
    (i) => text(all[i]) === principal,
  );
  const [, , n, nonce, boxed] = all.slice(at, (at ?? 0) + 5).map(sig);
  const contentKey = sodium.crypto_box_open_easy(sig(boxed), sig(nonce), sig(head[6]), boxSecret);
  expect(hexOf(committed(contentKey))).toBe(hexOf(commitment));
  return {
    text: text(sodium.crypto_secretbox_open_easy(ciphertext, sig(head[9]), contentKey)),
    hash: hexOf(sodium.crypto_hash(statement)),
    n: Number(Buffer.from(sig(n)).readBigUInt64BE()),
    author: text(head[3]),
  };
}

type Reader = (typeof members)[number];

function sealedBySodium(message: string, readers: readonly Reader[], from: Reader): Uint8Array {
  const contentKey = sodium.randombytes_buf(32);
  const nonce = sodium.randombytes_buf(24);
  const ciphertext = sodium.crypto_secretbox_easy(Buffer.from(message), nonce, contentKey);
  const commitment = committed(contentKey);
  const sorted = [...readers].sort((one, other) => (one.principal < other.principal ? -1 : 1));
  const slots = joined(
    ...sorted.flatMap(({ principal, boxKey, n }) => {
      const slotNonce = sodium.randombytes_buf(24);
      const boxed = sodium.crypto_box_easy(contentKey, slotNonce, boxKey, from.keys.boxSecret);
      return [Buffer.from(principal), boxKey, number(n, 8), slotNonce, boxed].map(field);
    }),
  );
  const names = [vectors.instance, vectors.channelId, vectors.channelName, from.principal, from.name];
  const head = [
    ...names.map((name) => new Uint8Array(Buffer.from(name))),
    from.signKey,
    from.boxKey,
    bytesOf(vectors.epoch),
    number(vectors.time, 8),
    nonce,
  ];
  const signature = sodium.crypto_sign_detached(
    signedBytes(head, ciphertext, commitment, slots),
    from.keys.signSecret,
  );
  return joined(Buffer.from("ACP1"), ...[...head, ciphertext, commitment, slots, signature].map(field));
}
