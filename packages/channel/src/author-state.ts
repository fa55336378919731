import type { Random } from "@agent-control/base";
import type { Member } from "./member-record.ts";
import type { Recipient } from "./seal.ts";

/** How far an author has counted in one channel. Stored before anything is sent. */
export interface AuthorState {
  /** Hex, 32 digits. */
  readonly epoch: string;
  /** The last number used, by recipient principal. */
  readonly counters: Readonly<Record<string, number>>;
}

/** A channel that was never posted to, or whose state is lost: the epoch tells readers so. */
export function freshAuthorState(random: Random): AuthorState {
  return { epoch: Buffer.from(random.bytes(16)).toString("hex"), counters: {} };
}

/** The members as numbered recipients, and the state to store before the post leaves. */
export function numberRecipients(
  state: AuthorState,
  members: readonly Pick<Member, "principal" | "boxKey" | "signKey">[],
): { readonly recipients: readonly Recipient[]; readonly state: AuthorState } {
  const recipients = members.map(({ principal, boxKey, signKey }) => ({
    principal,
    boxKey,
    signKey,
    n: (Object.hasOwn(state.counters, principal) ? (state.counters[principal] ?? 0) : 0) + 1,
  }));
  const used = Object.fromEntries(recipients.map(({ principal, n }) => [principal, n]));
  return { recipients, state: { epoch: state.epoch, counters: { ...state.counters, ...used } } };
}
