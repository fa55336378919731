/** How far a reader has read one author in one channel. */
export interface ReaderState {
  /** The server's number of the newest post that counted. */
  readonly seq: number;
  /** Hex. */
  readonly epoch: string;
  readonly n: number;
  readonly hash: string;
  /** Epochs that the author left behind. */
  readonly retired: readonly string[];
}

export interface PostSeen {
  readonly seq: number;
  readonly epoch: string;
  readonly n: number;
  readonly hash: string;
}

export type OrderVerdict =
  | {
      readonly order: "next" /** Posts of this author to this reader that never came. */;
      readonly missing: number;
      readonly state: ReaderState;
    }
  | { readonly order: "fork" | "replay"; readonly state: ReaderState };

/**
 * Whether a post is the author's next one to this reader. A later number is the next one with a gap; the same number
 * with another hash is a fork (the author said two things, or its state was rolled back); a lower number, the same
 * post again or an epoch left behind is a replay. A fork or a replay changes nothing but the seq.
 */
export function checkOrder(state: ReaderState | undefined, post: PostSeen): OrderVerdict {
  if (state === undefined) return next(post, post.n - 1, []);
  if (state.retired.includes(post.epoch)) return { order: "replay", state: { ...state, seq: post.seq } };
  if (post.epoch !== state.epoch) return next(post, post.n - 1, [...state.retired, state.epoch]);
  if (post.n > state.n) return next(post, post.n - state.n - 1, state.retired);
  const forked = post.n === state.n && post.hash !== state.hash;
  return { order: forked ? "fork" : "replay", state: { ...state, seq: post.seq } };
}

/** The state from which a page of posts that were read before is read again: the first may have any number. */
export function rereadState(first: PostSeen): ReaderState {
  return { ...first, n: first.n - 1, hash: "", retired: [] };
}

function next(post: PostSeen, missing: number, retired: readonly string[]): OrderVerdict {
  const { seq, epoch, n, hash } = post;
  return { order: "next", missing, state: { seq, epoch, n, hash, retired } };
}
