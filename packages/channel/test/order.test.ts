import { fakeRandom } from "@agent-control/base/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkOrder,
  freshAuthorState,
  numberRecipients,
  type PostSeen,
  type ReaderState,
  rereadState,
} from "../src/index.ts";
import { person } from "./people.ts";

const post = (seq: number, n: number, more: Partial<PostSeen> = {}): PostSeen => ({
  seq,
  epoch: "e1",
  n,
  hash: `h${n}`,
  ...more,
});
const read = (posts: readonly PostSeen[]) => {
  let state: ReaderState | undefined;
  return posts.map((seen) => {
    const verdict = checkOrder(state, seen);
    state = verdict.state;
    return verdict.order === "next" ? verdict.missing : verdict.order;
  });
};

describe("order", () => {
  it("S-11 takes numbers in a row and counts what never came, the first posts included", () => {
    expect(read([post(1, 1), post(5, 2), post(9, 5), post(10, 6)])).toEqual([0, 0, 2, 0]);
    expect(read([post(1, 3)])).toEqual([2]);
  });

  it("S-11 calls a lower number or the same post again a replay, and goes on behind it", () => {
    expect(read([post(1, 1), post(2, 2), post(3, 1), post(4, 2), post(5, 3)])).toEqual([
      0,
      0,
      "replay",
      "replay",
      0,
    ]);
  });

  it("S-11 calls the same number with another content a fork", () => {
    expect(read([post(1, 1), post(2, 1, { hash: "other" }), post(3, 2)])).toEqual([0, "fork", 0]);
  });

  it("S-11 takes a new epoch from its first number and never goes back", () => {
    const second = { epoch: "e2", hash: "x" };
    expect(read([post(1, 4), post(2, 1, second), post(3, 5), post(4, 3, second)])).toEqual([
      3,
      0,
      "replay",
      1,
    ]);
  });

  it("S-11 an author whose state was rolled back is a fork at every number it used before", () => {
    const rolledBack = [1, 2].map((n) => post(10 + n, n, { hash: `again${n}` }));
    expect(read([post(1, 1), post(2, 2), ...rolledBack, post(20, 3)])).toEqual([0, 0, "replay", "fork", 0]);
  });

  it("S-11 reading old posts again finds no gap before the first and every one between", () => {
    const first = post(7, 12);
    let state = rereadState(first);
    const verdicts = [first, post(8, 13), post(9, 15)].map((seen) => {
      const verdict = checkOrder(state, seen);
      state = verdict.state;
      return verdict;
    });
    expect(verdicts).toMatchObject([{ missing: 0 }, { missing: 0 }, { missing: 1 }]);
  });

  it("S-11 has no false gap with late joiners, leavers that come back, and members without a key for a while", () => {
    const people = ["sess:a", "sess:b", "sess:c", "__proto__", "constructor"].map((name, index) =>
      person(name, 10 + index),
    );
    const rosters = fc.array(fc.subarray(people), { maxLength: 30 });
    fc.assert(
      fc.property(rosters, (rounds) => {
        const readers = new Map<string, ReaderState>();
        let author = freshAuthorState(fakeRandom(4));
        for (const [seq, roster] of rounds.entries()) {
          const numbered = numberRecipients(
            author,
            roster.map(({ member }) => member),
          );
          author = numbered.state;
          for (const { principal, n } of numbered.recipients) {
            const verdict = checkOrder(readers.get(principal), {
              seq,
              epoch: author.epoch,
              n,
              hash: `${seq}`,
            });
            expect(verdict).toMatchObject({ order: "next", missing: 0 });
            readers.set(principal, verdict.state);
          }
        }
      }),
    );
  });
});
