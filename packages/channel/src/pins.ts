import { type PublicKeys, sameKeys } from "./keys.ts";
import type { Member } from "./member-record.ts";

/** The keys that each principal had at first sight. */
export type Pins = ReadonlyMap<string, PublicKeys>;

export interface PinCheck {
  /** Never seen before: to be pinned. */
  readonly fresh: readonly Member[];
  /** Shown with other keys than at first sight: nothing may be sealed to them or believed from them. */
  readonly changed: readonly { readonly member: Member; readonly pinned: PublicKeys }[];
}

/** Compares members, as the relay shows them, with what was pinned at first sight. */
export function checkPins(pins: Pins, members: readonly Member[]): PinCheck {
  const fresh: Member[] = [];
  const changed: { member: Member; pinned: PublicKeys }[] = [];
  for (const member of members) {
    const pinned = pins.get(member.principal);
    if (pinned === undefined) fresh.push(member);
    else if (!sameKeys(pinned, member)) changed.push({ member, pinned });
  }
  return { fresh, changed };
}
