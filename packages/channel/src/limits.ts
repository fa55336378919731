/** Bytes of a post's text. */
export const maxTextBytes = 65_536;
/** Members of a channel, hence slots of an envelope. */
export const maxSlots = 256;
/** Bytes of an envelope, before it is written as base64 into a body of at most 384 KiB. */
export const maxEnvelopeBytes = 256 * 1024;

/** Lower-case letters, digits and `-`, 1 to 64 characters, not beginning with `-`. */
export function isChannelName(text: string | undefined): text is string {
  return text !== undefined && /^[a-z0-9][a-z0-9-]{0,63}$/.test(text);
}

/** Visible ASCII without blanks, 1 to 128 characters. */
export function isPrincipal(text: string | undefined): text is string {
  return text !== undefined && /^[!-~]{1,128}$/.test(text);
}

/** Any text of at most 256 bytes. */
export function isName(text: string | undefined): text is string {
  return text !== undefined && Buffer.byteLength(text) <= 256;
}
