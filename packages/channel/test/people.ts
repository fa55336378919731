import { fakeRandom } from "@agent-control/base/testing";
import {
  createKeys,
  createPairKeys,
  type Expected,
  type Member,
  type MemberKeys,
  openPost,
  type PairKeys,
  type Recipient,
  sealPost,
} from "../src/index.ts";

export interface Person {
  readonly member: Member;
  readonly keys: MemberKeys;
  readonly pairKeys: PairKeys;
}

export const instance = "inst-1";
export const channel = { channelId: "chan-1", channelName: "plans" };

export function person(principal: string, seed: number): Person {
  const keys = createKeys(fakeRandom(seed));
  const { signKey, boxKey } = keys;
  return {
    member: { instance, principal, name: `Name of ${principal}`, signKey, boxKey },
    keys,
    pairKeys: createPairKeys(keys.boxSecret),
  };
}

export interface Posting {
  readonly text?: string;
  readonly seed?: number;
  readonly n?: number;
  readonly epoch?: Uint8Array;
}

export function seal(author: Person, to: readonly Person[], posting: Posting = {}) {
  const recipients: Recipient[] = to.map(({ member }) => ({ ...member, n: posting.n ?? 1 }));
  return sealPost(
    {
      ...channel,
      text: posting.text ?? "meet at the gate",
      author: author.member,
      keys: author.keys,
      epoch: posting.epoch ?? new Uint8Array(16).fill(7),
      time: 1_760_000_000_000,
      recipients,
    },
    { random: fakeRandom(posting.seed ?? 99), pairKeys: author.pairKeys, breathe: async () => {} },
  );
}

export function expected(author: Person, reader: Person): Expected {
  return {
    instance,
    ...channel,
    author: author.member.principal,
    authorKeys: author.keys,
    principal: reader.member.principal,
    boxKey: reader.keys.boxKey,
  };
}

export function open(bytes: Uint8Array, author: Person, reader: Person, other: Partial<Expected> = {}) {
  return openPost(bytes, { ...expected(author, reader), ...other }, reader.pairKeys);
}
