import type { Random } from "./ports.ts";

/** The same bytes for the same seed, from xorshift32 (Marsaglia 2003); never for secrets. */
export function fakeRandom(seed = 1): Random {
  let state = seed >>> 0 || 1;
  const nextByte = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state & 0xff;
  };
  return { bytes: (count) => Uint8Array.from({ length: count }, nextByte) };
}
