import { Failure } from "@agent-control/base";

/** Most bytes one prompt may have. */
export const maxTextBytes = 100_000;

export interface DeliverableText {
  readonly text: string;
  /** UTF-8 bytes of `text`. */
  readonly bytes: number;
}

// A CR is allowed before an LF only, which is then dropped.
const unsafe =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\r(?!\n)|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/**
 * The text as it will be pasted: CRLF is LF, one trailing newline is dropped. Throws a refusal for empty or
 * over-long text and for everything that would act as a key instead of a character: paste markers (an ESC or an
 * 8-bit CSI is enough), NUL, lone surrogates, any other control character but LF and TAB. It names the offset in
 * `raw`, in UTF-16 units from 0.
 */
export function deliverableText(raw: string): DeliverableText {
  const text = raw.replace(/\r\n/g, "\n").replace(/\n$/, "");
  if (text === "") throw refusal("text-empty", "The text is empty", "Send at least one character");
  const bytes = Buffer.byteLength(text);
  if (bytes > maxTextBytes) {
    throw refusal(
      "text-too-long",
      `The text has ${bytes} bytes; at most ${maxTextBytes} can be sent`,
      "Put it in a file and send the file's path",
    );
  }
  const bad = unsafe.exec(raw);
  if (bad) {
    throw refusal(
      "text-unsafe",
      `The text has ${describe(bad[0])} at offset ${bad.index}, which a terminal may take as a key`,
      "Remove it and send again",
    );
  }
  return { text, bytes };
}

function describe(character: string): string {
  const code = character.charCodeAt(0);
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (code === 0x1b) return `an escape character (${hex})`;
  if (code >= 0xd800) return `a lone surrogate (${hex})`;
  return `the control character ${hex}`;
}

function refusal(code: string, message: string, next: string): Failure {
  return new Failure("refused", { code, message, next });
}
