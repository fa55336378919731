import nacl from "tweetnacl";
import { concatenated, readFields, textOf, utf8, writeFields } from "./fields.ts";
import { areUsableKeys, type MemberKeys, type PublicKeys } from "./keys.ts";
import { isName, isPrincipal } from "./limits.ts";

/** How a member presents itself: who it is, on which instance, and with which keys. */
export interface Member extends PublicKeys {
  /** The control plane's own id. */
  readonly instance: string;
  /** E.g. `sess:01j…` or `user:7:laptop`. */
  readonly principal: string;
  /** For people; not unique. */
  readonly name: string;
}

/** The member's own signed statement of its keys. */
export function signMemberRecord(
  member: Pick<Member, "instance" | "principal" | "name">,
  keys: MemberKeys,
): Uint8Array {
  const statement = statementOf({ ...member, signKey: keys.signKey, boxKey: keys.boxKey });
  return writeFields([statement, nacl.sign.detached(signedBytes(statement), keys.signSecret)]);
}

/** The member that a record presents; undefined unless it is whole, its keys are usable and it is signed by them. */
export function readMemberRecord(record: Uint8Array): Member | undefined {
  const [statement, signature, ...more] = readFields(record) ?? [];
  if (statement === undefined || signature?.length !== 64 || more.length > 0) return undefined;
  const member = memberOf(statement);
  if (member === undefined || !areUsableKeys(member)) return undefined;
  return nacl.sign.detached.verify(signedBytes(statement), signature, member.signKey) ? member : undefined;
}

const domain = utf8("agent-control member v1\0");

function signedBytes(statement: Uint8Array): Uint8Array {
  return concatenated(domain, statement);
}

function statementOf({ instance, principal, name, signKey, boxKey }: Member): Uint8Array {
  return writeFields([utf8(instance), utf8(principal), utf8(name), signKey, boxKey]);
}

function memberOf(statement: Uint8Array): Member | undefined {
  const fields = readFields(statement);
  if (fields?.length !== 5) return undefined;
  const [instance, principal, name] = fields.slice(0, 3).map(textOf);
  const [signKey, boxKey] = fields.slice(3);
  if (!isName(instance) || !isPrincipal(principal) || !isName(name) || !signKey || !boxKey) return undefined;
  return { instance, principal, name, signKey: signKey.slice(), boxKey: boxKey.slice() };
}
