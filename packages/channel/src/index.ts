export { type AuthorState, freshAuthorState, numberRecipients } from "./author-state.ts";
export {
  areUsableKeys,
  createKeys,
  fingerprint,
  keysFromSeeds,
  type MemberKeys,
  type PublicKeys,
  sameKeys,
} from "./keys.ts";
export { isChannelName, isPrincipal, maxEnvelopeBytes, maxSlots, maxTextBytes } from "./limits.ts";
export { type Member, readMemberRecord, signMemberRecord } from "./member-record.ts";
export { type Expected, isUndecryptable, type OpenedPost, type OpenRefusal, openPost } from "./open.ts";
export { checkOrder, type OrderVerdict, type PostSeen, type ReaderState, rereadState } from "./order.ts";
export { createPairKeys, type PairKeys } from "./pair-keys.ts";
export { checkPins, type PinCheck, type Pins } from "./pins.ts";
export { type PostToSeal, type Recipient, type SealedPost, type SealPorts, sealPost } from "./seal.ts";
