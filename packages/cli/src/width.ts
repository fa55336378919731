/** Measures and cuts text in columns of a terminal. */
export interface Ruler {
  width(text: string): number;
  /** The text itself when it fits, else as many whole characters as fit before a `…`. */
  cut(text: string, columns: number): string;
}

/**
 * A ruler for these texts. Text of printable ASCII needs no tables: the exact measure of wide characters and
 * emoji takes tens of milliseconds to load and is loaded only when a text needs it.
 */
export async function rulerFor(texts: readonly string[]): Promise<Ruler> {
  if (texts.every((text) => printableAscii.test(text))) return asciiRuler;
  return (await import("./wide-ruler.ts")).wideRuler;
}

const printableAscii = /^[\u0020-\u007e]*$/;

const asciiRuler: Ruler = {
  width: (text) => text.length,
  cut: (text, columns) => (text.length <= columns ? text : `${text.slice(0, columns - 1)}…`),
};
