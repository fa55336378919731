/** One word for a POSIX shell, in single quotes: exactly these characters arrive. Throws on NUL, which no argument can hold. */
export function shellQuote(word: string): string {
  if (word.includes("\0")) throw new Error("An argument cannot hold NUL");
  return `'${word.replaceAll("'", "'\\''")}'`;
}
