import { plainText } from "@agent-control/base";

/** The stamp of a host user, `<uid>:<name>`: what keeps the instances of two users of one Incus apart. */
export function ownerOf(user: { readonly uid: number; readonly name: string }): string {
  return `${user.uid}:${plainText(user.name).replace(/\s+/g, "-")}`;
}
