import type { Random } from "@agent-control/base";
import nacl from "tweetnacl";
import { concatenated, equal, utf8 } from "./fields.ts";

/** What others know a member by. */
export interface PublicKeys {
  /** Ed25519, 32 bytes. */
  readonly signKey: Uint8Array;
  /** X25519, 32 bytes. */
  readonly boxKey: Uint8Array;
}

/** The keys of one member; the secrets never leave its own machine. */
export interface MemberKeys extends PublicKeys {
  /** Ed25519 seed and public key, 64 bytes. */
  readonly signSecret: Uint8Array;
  /** X25519 scalar, 32 bytes. */
  readonly boxSecret: Uint8Array;
}

/** New keys from 64 random bytes: 32 for signing, then 32 for boxes. */
export function createKeys(random: Random): MemberKeys {
  return keysFromSeeds({ sign: random.bytes(32), box: random.bytes(32) });
}

/** The keys that belong to two seeds of 32 bytes each. */
export function keysFromSeeds(seeds: { readonly sign: Uint8Array; readonly box: Uint8Array }): MemberKeys {
  const sign = nacl.sign.keyPair.fromSeed(seeds.sign);
  const box = nacl.box.keyPair.fromSecretKey(seeds.box);
  return {
    signKey: sign.publicKey,
    signSecret: sign.secretKey,
    boxKey: box.publicKey,
    boxSecret: box.secretKey,
  };
}

/** False for keys of another length and for low-order points, with which anybody could pass for the member. */
export function areUsableKeys({ signKey, boxKey }: PublicKeys): boolean {
  return signKey.length === 32 && boxKey.length === 32 && !isLowOrderBox(boxKey) && !isLowOrderSign(signKey);
}

/** Ten groups of four hex digits over both keys, for people to compare. */
export function fingerprint({ signKey, boxKey }: PublicKeys): string {
  const digest = nacl.hash(concatenated(utf8("agent-control fingerprint v1\0"), signKey, boxKey));
  const hex = Buffer.from(digest.subarray(0, 20)).toString("hex");
  return (hex.match(/.{4}/g) ?? []).join(" ");
}

export function sameKeys(one: PublicKeys, other: PublicKeys): boolean {
  return equal(one.signKey, other.signKey) && equal(one.boxKey, other.boxKey);
}

// Every scalar of X25519 is a multiple of eight, so exactly the low-order points are sent to zero.
function isLowOrderBox(key: Uint8Array): boolean {
  return nacl.scalarMult(new Uint8Array(32).fill(8), key).every((byte) => byte === 0);
}

function isLowOrderSign(key: Uint8Array): boolean {
  const y = Buffer.from(key);
  y[31] = (y[31] ?? 0) & 0x7f;
  return lowOrderHeights.has(y.toString("hex"));
}

// The y coordinates, little endian and without the sign bit, of the eight points of Ed25519 whose order divides
// eight, in canonical form and not (RFC 8032, section 5.1; y = 0, 1, -1, the two of order eight, p, p + 1).
const lowOrderHeights: ReadonlySet<string> = new Set([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
]);
