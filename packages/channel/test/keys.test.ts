import { fakeRandom } from "@agent-control/base/testing";
import sodium from "libsodium-wrappers";
import { beforeAll, describe, expect, it } from "vitest";
import { areUsableKeys, createKeys, fingerprint, readMemberRecord, signMemberRecord } from "../src/index.ts";
import { person } from "./people.ts";

const hex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));
const last = (text: string, bits: number) => {
  const bytes = hex(text);
  bytes[31] = (bytes[31] ?? 0) | bits;
  return bytes;
};

// The u coordinates of order dividing eight, and p, p + 1, 2p - 1 … which stand for the same numbers.
const lowOrderBox = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];
const lowOrderSign = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

describe("keys", () => {
  beforeAll(() => sodium.ready);
  const { signKey, boxKey } = createKeys(fakeRandom(1));

  it("S-14 refuses every low-order box key, with and without its top bit", () => {
    for (const text of lowOrderBox) {
      for (const bits of [0, 0x80])
        expect(areUsableKeys({ signKey, boxKey: last(text, bits) }), text).toBe(false);
    }
    expect(areUsableKeys({ signKey, boxKey })).toBe(true);
  });

  it("S-14 refuses every low-order signing key, as libsodium does", () => {
    for (const text of lowOrderSign) {
      for (const bits of [0, 0x80]) {
        const odd = last(text, bits);
        expect(areUsableKeys({ signKey: odd, boxKey }), text).toBe(false);
        expect(() => sodium.crypto_sign_ed25519_pk_to_curve25519(odd), text).toThrow();
      }
    }
  });

  it("S-14 refuses keys of another length", () => {
    expect(areUsableKeys({ signKey: signKey.subarray(1), boxKey })).toBe(false);
    expect(areUsableKeys({ signKey, boxKey: new Uint8Array(33).fill(9) })).toBe(false);
  });

  it("S-10 makes the keys that libsodium makes from the same seeds", () => {
    const random = fakeRandom(1);
    const sign = sodium.crypto_sign_seed_keypair(random.bytes(32));
    const box = sodium.crypto_scalarmult_base(random.bytes(32));
    expect(Buffer.from(signKey)).toEqual(Buffer.from(sign.publicKey));
    expect(Buffer.from(boxKey)).toEqual(Buffer.from(box));
  });

  it("S-13 a fingerprint tells two members apart and depends on both keys", () => {
    const other = createKeys(fakeRandom(2));
    const prints = [
      fingerprint({ signKey, boxKey }),
      fingerprint({ signKey: other.signKey, boxKey }),
      fingerprint({ signKey, boxKey: other.boxKey }),
    ];
    expect(new Set(prints).size).toBe(3);
    expect(prints[0]).toMatch(/^([0-9a-f]{4} ){9}[0-9a-f]{4}$/);
  });
});

describe("member records", () => {
  const ada = person("sess:ada", 1);
  const bea = person("sess:bea", 2);
  const record = signMemberRecord(ada.member, ada.keys);

  it("S-10 present a member's name and keys", () => {
    const read = readMemberRecord(record);
    expect(read).toMatchObject({ instance: "inst-1", principal: "sess:ada", name: "Name of sess:ada" });
    expect(fingerprint(read ?? bea.keys)).toBe(fingerprint(ada.keys));
  });

  it("S-14 one bit flipped anywhere, or another's signature, makes them nothing", () => {
    for (let at = 0; at < record.length; at += 1) {
      const flipped = record.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(readMemberRecord(flipped), `byte ${at}`).toBeUndefined();
    }
    const forged = signMemberRecord(ada.member, { ...ada.keys, signSecret: bea.keys.signSecret });
    expect(readMemberRecord(forged)).toBeUndefined();
  });

  it("S-14 a record of a low-order box key is refused although it is signed", () => {
    const odd = { ...ada.keys, boxKey: new Uint8Array(32) };
    expect(readMemberRecord(signMemberRecord(ada.member, odd))).toBeUndefined();
  });
});
