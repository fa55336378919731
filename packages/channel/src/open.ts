import nacl from "tweetnacl";
import { commitmentOf, type Envelope, readEnvelope, type Slot, statementHash } from "./envelope.ts";
import { equal, textOf } from "./fields.ts";
import { areUsableKeys, type PublicKeys, sameKeys } from "./keys.ts";
import type { PairKeys } from "./pair-keys.ts";

/** What a reader knows before it opens a post. */
export interface Expected {
  readonly instance: string;
  /** The pinned id of the channel that was asked for. */
  readonly channelId: string;
  readonly channelName: string;
  /** The author that the row names. */
  readonly author: string;
  /** The author's pinned keys. */
  readonly authorKeys: PublicKeys;
  /** Me. */
  readonly principal: string;
  readonly boxKey: Uint8Array;
}

/** Why a post is not shown. The first three say that it was not for this key, the others that it is not what it claims. */
export type OpenRefusal =
  | "not-addressed"
  | "other-key"
  | "slot-unreadable"
  | "malformed"
  | "other-instance"
  | "other-author"
  | "other-channel"
  | "other-author-keys"
  | "bad-signature"
  | "bad-commitment"
  | "bad-ciphertext"
  | "not-utf8";

export type OpenedPost =
  | {
      readonly opened: true;
      readonly text: string;
      readonly authorName: string;
      /** Milliseconds since the Unix epoch, by the author's clock. */
      readonly time: number;
      /** Hex, 32 digits. */
      readonly epoch: string;
      readonly n: number;
      /** Hex SHA-512 of what is signed. */
      readonly hash: string;
    }
  | { readonly opened: false; readonly reason: OpenRefusal };

/**
 * Opens a post for one reader, or says why not: sizes and slot order, then where it claims to belong, the author's
 * pinned keys, the signature, the reader's own slot, the commitment, the text. Order is checked apart, see order.ts.
 */
export function openPost(bytes: Uint8Array, expected: Expected, pairKeys: PairKeys): OpenedPost {
  const signed = readEnvelope(bytes);
  if (signed === undefined) return refused("malformed");
  const { envelope, statement, signature } = signed;
  const misplaced = misplacement(envelope, expected);
  if (misplaced) return refused(misplaced);
  if (!nacl.sign.detached.verify(statement, signature, envelope.author.signKey))
    return refused("bad-signature");
  const slot = envelope.slots.find(({ principal }) => principal === expected.principal);
  if (slot === undefined) return refused("not-addressed");
  const text = openText(envelope, slot, expected.boxKey, pairKeys);
  if ("reason" in text) return refused(text.reason);
  return {
    opened: true,
    text: text.text,
    authorName: envelope.author.name,
    time: envelope.time,
    epoch: Buffer.from(envelope.epoch).toString("hex"),
    n: slot.n,
    hash: statementHash(statement),
  };
}

/** True for a post that is none of this reader's: to be counted, not to be warned of. */
export function isUndecryptable(reason: OpenRefusal): boolean {
  return reason === "not-addressed" || reason === "other-key" || reason === "slot-unreadable";
}

function misplacement(envelope: Envelope, expected: Expected): OpenRefusal | undefined {
  if (envelope.instance !== expected.instance) return "other-instance";
  if (envelope.author.principal !== expected.author) return "other-author";
  if (envelope.channelId !== expected.channelId || envelope.channelName !== expected.channelName) {
    return "other-channel";
  }
  const usable = areUsableKeys(envelope.author) && sameKeys(envelope.author, expected.authorKeys);
  return usable ? undefined : "other-author-keys";
}

function openText(
  { author, nonce, ciphertext, commitment }: Envelope,
  slot: Slot,
  boxKey: Uint8Array,
  pairKeys: PairKeys,
): { readonly text: string } | { readonly reason: OpenRefusal } {
  if (!equal(slot.boxKey, boxKey)) return { reason: "other-key" };
  const contentKey = nacl.box.open.after(slot.boxed, slot.nonce, pairKeys.with(author.boxKey));
  if (contentKey === null) return { reason: "slot-unreadable" };
  if (!equal(commitmentOf(contentKey), commitment)) return { reason: "bad-commitment" };
  const bytes = nacl.secretbox.open(ciphertext, nonce, contentKey);
  if (bytes === null) return { reason: "bad-ciphertext" };
  const text = textOf(bytes);
  return text === undefined ? { reason: "not-utf8" } : { text };
}

function refused(reason: OpenRefusal): OpenedPost {
  return { opened: false, reason };
}
