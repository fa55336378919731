import stringWidth from "string-width";
import type { Ruler } from "./width.ts";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Knows wide, combining and emoji characters; cuts only between graphemes. */
export const wideRuler: Ruler = {
  width: (text) => stringWidth(text),
  cut: (text, columns) => (stringWidth(text) <= columns ? text : `${start(text, columns - 1)}…`),
};

function start(text: string, columns: number): string {
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return kept;
}
