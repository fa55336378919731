import { Failure, type Random } from "@agent-control/base";
import nacl from "tweetnacl";
import {
  commitmentOf,
  type Envelope,
  type Slot,
  statementHash,
  statementOf,
  writeEnvelope,
} from "./envelope.ts";
import { utf8 } from "./fields.ts";
import { areUsableKeys, type MemberKeys } from "./keys.ts";
import { maxSlots, maxTextBytes } from "./limits.ts";
import type { Member } from "./member-record.ts";
import type { PairKeys } from "./pair-keys.ts";

/** A member to whom a post is addressed. */
export interface Recipient extends Pick<Member, "principal" | "boxKey" | "signKey"> {
  /** The next number of this author's posts to it, from 1. */
  readonly n: number;
}

export interface PostToSeal {
  readonly channelId: string;
  readonly channelName: string;
  /** 1 to 65 536 bytes of UTF-8. */
  readonly text: string;
  readonly author: Pick<Member, "instance" | "principal" | "name">;
  readonly keys: MemberKeys;
  readonly epoch: Uint8Array;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** Each principal once, the author itself among them. */
  readonly recipients: readonly Recipient[];
}

export interface SealPorts {
  readonly random: Random;
  readonly pairKeys: PairKeys;
  /** Lets others run; called between handfuls of slots, so that no more than about 25 ms pass without. */
  readonly breathe: () => Promise<void>;
}

export interface SealedPost {
  readonly bytes: Uint8Array;
  /** Hex SHA-512 of what is signed: the post's identity. */
  readonly hash: string;
}

/**
 * Seals a text once and its key to every recipient, and signs the whole. Throws the Failure `post-unsealable`
 * (`usage`) for a text of a wrong size, no or too many recipients, a principal twice, or a key that is not usable.
 */
export async function sealPost(post: PostToSeal, ports: SealPorts): Promise<SealedPost> {
  const text = checkedText(post.text);
  checkRecipients(post.recipients);
  const contentKey = ports.random.bytes(32);
  const nonce = ports.random.bytes(24);
  const envelope: Envelope = {
    instance: post.author.instance,
    channelId: post.channelId,
    channelName: post.channelName,
    author: { ...post.author, signKey: post.keys.signKey, boxKey: post.keys.boxKey },
    epoch: post.epoch,
    time: post.time,
    nonce,
    ciphertext: nacl.secretbox(text, nonce, contentKey),
    commitment: commitmentOf(contentKey),
    slots: await sealSlots(contentKey, post.recipients, ports),
  };
  const statement = statementOf(envelope);
  const signature = nacl.sign.detached(statement, post.keys.signSecret);
  return { bytes: writeEnvelope({ envelope, signature }), hash: statementHash(statement) };
}

const handful = 8;

async function sealSlots(
  contentKey: Uint8Array,
  recipients: readonly Recipient[],
  { random, pairKeys, breathe }: SealPorts,
): Promise<Slot[]> {
  const sorted = [...recipients].sort((one, other) => (one.principal < other.principal ? -1 : 1));
  const slots: Slot[] = [];
  for (const { principal, boxKey, n } of sorted) {
    if (slots.length % handful === handful - 1) await breathe();
    const nonce = random.bytes(24);
    slots.push({
      principal,
      boxKey,
      n,
      nonce,
      boxed: nacl.box.after(contentKey, nonce, pairKeys.with(boxKey)),
    });
  }
  return slots;
}

function checkedText(text: string): Uint8Array {
  const bytes = utf8(text);
  if (bytes.length < 1 || bytes.length > maxTextBytes) {
    throw unsealable(
      `The text has ${bytes.length} bytes`,
      `Post 1 to ${maxTextBytes} bytes, in several posts where it is longer`,
    );
  }
  return bytes;
}

function checkRecipients(recipients: readonly Recipient[]): void {
  if (recipients.length < 1 || recipients.length > maxSlots) {
    throw unsealable(`A post to ${recipients.length} members`, `Address 1 to ${maxSlots} members`);
  }
  if (new Set(recipients.map(({ principal }) => principal)).size < recipients.length) {
    throw unsealable("A member is addressed twice", "List the channel's members again");
  }
  const odd = recipients.find((recipient) => !areUsableKeys(recipient));
  if (odd) throw unsealable(`The keys of ${odd.principal} are not usable`, "Let that member rotate its keys");
}

function unsealable(message: string, next: string): Failure {
  return new Failure("usage", { code: "post-unsealable", message, next });
}
