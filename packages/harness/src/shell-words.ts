/** The words of a command line in which every word is as `shellQuote` makes it; undefined for any other. */
export function shellWords(line: string): string[] | undefined {
  const word = /'((?:[^']|'\\'')*)'(?: (?=')|$)/y;
  const words: string[] = [];
  while (word.lastIndex < line.length) {
    const match = word.exec(line);
    if (!match) return undefined;
    words.push((match[1] ?? "").replaceAll("'\\''", "'"));
  }
  return words;
}
