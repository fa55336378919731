import nacl from "tweetnacl";
import { concatenated, numberOf, readFields, textOf, u32, u64, utf8, writeFields } from "./fields.ts";
import type { PublicKeys } from "./keys.ts";
import { isChannelName, isName, isPrincipal, maxEnvelopeBytes, maxSlots, maxTextBytes } from "./limits.ts";

/** A sealed post, as its bytes say it; nothing of it is proved yet. */
export interface Envelope {
  readonly instance: string;
  readonly channelId: string;
  readonly channelName: string;
  readonly author: AuthorNamed;
  /** 16 random bytes: the author's counters begin anew with each. */
  readonly epoch: Uint8Array;
  /** Milliseconds since the Unix epoch, by the author's clock. */
  readonly time: number;
  /** 24 bytes. */
  readonly nonce: Uint8Array;
  /** secretbox(text), 16 bytes longer than the text. */
  readonly ciphertext: Uint8Array;
  /** 32 bytes, see `commitmentOf`. */
  readonly commitment: Uint8Array;
  /** Sorted by principal, each once. */
  readonly slots: readonly Slot[];
}

export interface AuthorNamed extends PublicKeys {
  readonly principal: string;
  readonly name: string;
}

/** The content key for one recipient. */
export interface Slot {
  readonly principal: string;
  readonly boxKey: Uint8Array;
  /** Counts the author's posts to this recipient in this channel and epoch, from 1. */
  readonly n: number;
  /** 24 bytes. */
  readonly nonce: Uint8Array;
  /** box(content key), 48 bytes, from the author's box key to the recipient's. */
  readonly boxed: Uint8Array;
}

export interface SignedEnvelope {
  readonly envelope: Envelope;
  /** What the signature is over. */
  readonly statement: Uint8Array;
  readonly signature: Uint8Array;
}

/** The bytes that the author signs: see README.md for the layout. */
export function statementOf(envelope: Envelope): Uint8Array {
  const { ciphertext, commitment, slots } = envelope;
  return concatenated(
    postDomain,
    writeFields([
      ...headFields(envelope),
      nacl.hash(ciphertext),
      commitment,
      u32(slots.length),
      nacl.hash(writeSlots(slots)),
    ]),
  );
}

/** What makes a post the same post: the hash of what is signed, never of the signature, which is malleable. */
export function statementHash(statement: Uint8Array): string {
  return Buffer.from(nacl.hash(statement)).toString("hex");
}

export function writeEnvelope({ envelope, signature }: Omit<SignedEnvelope, "statement">): Uint8Array {
  const { ciphertext, commitment, slots } = envelope;
  const fields = [...headFields(envelope), ciphertext, commitment, writeSlots(slots), signature];
  return concatenated(magic, writeFields(fields));
}

/** The envelope in these bytes; undefined for sizes, names or a slot order that no author writes. */
export function readEnvelope(bytes: Uint8Array): SignedEnvelope | undefined {
  if (bytes.length > maxEnvelopeBytes || !startsWith(bytes, magic)) return undefined;
  const fields = readFields(bytes.subarray(magic.length));
  if (fields?.length !== headLength + 4) return undefined;
  const head = readHead(fields.slice(0, headLength));
  const [ciphertext, commitment, slotBytes, signature] = fields.slice(headLength);
  const slots = slotBytes && readSlots(slotBytes);
  if (!head || !slots || commitment?.length !== 32 || signature?.length !== 64) return undefined;
  if (!ciphertext || ciphertext.length <= 16 || ciphertext.length > maxTextBytes + 16) return undefined;
  const envelope = { ...head, ciphertext, commitment, slots };
  return { envelope, statement: statementOf(envelope), signature };
}

/** Binds a post to one content key, so that no second key opens it to another text. */
export function commitmentOf(contentKey: Uint8Array): Uint8Array {
  return nacl.hash(concatenated(commitmentDomain, contentKey)).subarray(0, 32);
}

const magic = utf8("ACP1");
const postDomain = utf8("agent-control post v1\0");
const commitmentDomain = utf8("agent-control content key v1\0");
const headLength = 10;

type Head = Omit<Envelope, "ciphertext" | "commitment" | "slots">;

function headFields({ instance, channelId, channelName, author, epoch, time, nonce }: Head): Uint8Array[] {
  return [
    utf8(instance),
    utf8(channelId),
    utf8(channelName),
    utf8(author.principal),
    utf8(author.name),
    author.signKey,
    author.boxKey,
    epoch,
    u64(time),
    nonce,
  ];
}

function readHead(fields: readonly Uint8Array[]): Head | undefined {
  const [instance, channelId, channelName, principal, name] = fields.slice(0, 5).map(textOf);
  const [signKey, boxKey, epoch, timeBytes, nonce] = fields.slice(5);
  const time = timeBytes && numberOf(timeBytes);
  if (!isName(instance) || !isName(channelId) || !isChannelName(channelName)) return undefined;
  if (!isPrincipal(principal) || !isName(name) || time === undefined) return undefined;
  if (signKey?.length !== 32 || boxKey?.length !== 32) return undefined;
  if (epoch?.length !== 16 || nonce?.length !== 24) return undefined;
  return {
    instance,
    channelId,
    channelName,
    author: { principal, name, signKey, boxKey },
    epoch,
    time,
    nonce,
  };
}

function writeSlots(slots: readonly Slot[]): Uint8Array {
  return writeFields(
    slots.flatMap(({ principal, boxKey, n, nonce, boxed }) => [
      utf8(principal),
      boxKey,
      u64(n),
      nonce,
      boxed,
    ]),
  );
}

function readSlots(bytes: Uint8Array): readonly Slot[] | undefined {
  const fields = readFields(bytes);
  if (!fields || fields.length === 0 || fields.length % 5 > 0 || fields.length > maxSlots * 5)
    return undefined;
  const slots: Slot[] = [];
  for (let at = 0; at < fields.length; at += 5) {
    const slot = readSlot(fields.slice(at, at + 5));
    const before = slots.at(-1);
    if (!slot || (before && before.principal >= slot.principal)) return undefined;
    slots.push(slot);
  }
  return slots;
}

function readSlot([principalBytes, boxKey, nBytes, nonce, boxed]: readonly Uint8Array[]): Slot | undefined {
  const principal = principalBytes && textOf(principalBytes);
  const n = nBytes && numberOf(nBytes);
  if (!isPrincipal(principal) || n === undefined || n < 1) return undefined;
  if (boxKey?.length !== 32 || nonce?.length !== 24 || boxed?.length !== 48) return undefined;
  return { principal, boxKey, n, nonce, boxed };
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return prefix.every((byte, index) => byte === bytes[index]);
}
