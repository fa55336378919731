import { type Place, placeAt } from "./config-document.ts";
import { invalidConfig } from "./config-failure.ts";

/**
 * The text of a file that a person wrote, without a byte order mark; CRLF stays. Throws `config-invalid` with
 * the place for invalid UTF-8, a second mark, NUL, or a carriage return that is not followed by a line feed.
 */
export function sourceText(bytes: Uint8Array, path: string): string {
  const text = new TextDecoder("utf-8").decode(bytes);
  const invalid = invalidByte(bytes, text);
  if (invalid !== undefined) throw invalidConfig(path, [{ ...invalid, says: notUtf8(bytes) }]);
  refuseAt(text, /^\ufeff/, path, "the file has two byte order marks");
  refuseAt(text, /\0/, path, "the file contains a NUL character");
  refuseAt(text, /\r(?!\n)/, path, "the file contains a carriage return that does not end a line");
  return text;
}

// Decoding replaces what is not UTF-8, so the first byte that differs after encoding again is the culprit (or
// one of its character's); decoding what precedes it as a stream holds an unfinished character back.
function invalidByte(bytes: Uint8Array, text: string): Place | undefined {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset + mark, bytes.byteLength - mark);
  const again = Buffer.from(text, "utf8");
  if (again.equals(source)) return undefined;
  const differs = again.findIndex((byte, index) => byte !== source[index]);
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(source.subarray(0, differs), {
    stream: true,
  });
  return placeAt(before, before.length);
}

function notUtf8([first, second]: Uint8Array): string {
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return `the file is not UTF-8 text${utf16 ? " but UTF-16" : ""}`;
}

function refuseAt(text: string, pattern: RegExp, path: string, says: string): void {
  const index = text.search(pattern);
  if (index >= 0) throw invalidConfig(path, [{ ...placeAt(text, index), says }]);
}
