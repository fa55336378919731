import nacl from "tweetnacl";

/** The shared keys of one member with its peers, kept in memory: each costs about a millisecond to work out. */
export interface PairKeys {
  with(boxKey: Uint8Array): Uint8Array;
}

export function createPairKeys(boxSecret: Uint8Array): PairKeys {
  const known = new Map<string, Uint8Array>();
  return {
    with(boxKey) {
      const id = Buffer.from(boxKey).toString("base64");
      const key = known.get(id) ?? nacl.box.before(boxKey, boxSecret);
      known.set(id, key);
      return key;
    },
  };
}
