/**
 * The candidate a mistyped word most likely meant, ignoring case: the one with the smallest edit distance, at
 * most 2 or a third of the word's length; undefined when none is that near or nothing of the word would be left.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 3));
  let found: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const longer = Math.max(word.length, candidate.length);
    if (Math.abs(word.length - candidate.length) > limit) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance > limit || distance >= longer) continue;
    if (found === undefined || distance < found.distance) found = { candidate, distance };
  }
  return found?.candidate;
}

// Levenshtein distance, one row at a time: `row[i]` is the distance between the first i letters of `from` and
// the letters of `to` seen so far.
function editDistance(from: string, to: string): number {
  const letters = [...from];
  let row = [0, ...letters.map((_, index) => index + 1)];
  for (const [line, wanted] of [...to].entries()) {
    const next = [line + 1];
    for (const [index, letter] of letters.entries()) {
      const replaced = at(row, index) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, at(row, index + 1) + 1, at(next, index) + 1));
    }
    row = next;
  }
  return at(row, letters.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
