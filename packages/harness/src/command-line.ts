import { shellQuote } from "./shell-quote.ts";

/** The words as a person types them: quoted for a POSIX shell where that is needed. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word))).join(" ");
}
