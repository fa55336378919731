/**
 * Bytes that text may take in an answer when `limit` bytes of it were asked for: JSON writes a newline or quote as two,
 * and with the usual limit the whole answer has to stay below 10 KiB.
 */
export function roomFor(limit: number): number {
  return Math.floor(limit * 1.15);
}

/** Bytes that the text takes in an answer. */
export function bytesInJson(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

export interface FittedText {
  readonly text: string;
  readonly cut: boolean;
}

/** The text without its middle, so that it takes at most `room` bytes in an answer. */
export function fitText(text: string, room: number): FittedText {
  let fitted = text;
  let kept = text.length;
  for (let size = bytesInJson(text); size > room && kept > 0; size = bytesInJson(fitted)) {
    kept = Math.floor(Math.min(kept - 1, kept * (room / size)));
    const head = whole(text.slice(0, Math.ceil(kept / 2)));
    const tail = kept < 2 ? "" : whole(text.slice(-Math.floor(kept / 2)));
    fitted = `${head}${gap}${tail}`;
  }
  return { text: fitted, cut: fitted !== text };
}

const gap = "\n[cut here]\n";

/** The text with each half of a cut character replaced. */
function whole(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
