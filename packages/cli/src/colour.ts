import { styleText } from "node:util";

/** What a colour means, not how it looks. */
export type Tone = "good" | "warn" | "bad" | "quiet" | "heading";

/** Paints text for a terminal, or hands it back unchanged. */
export type Paint = (text: string, tone: Tone | undefined) => string;

/**
 * Whether a stream may carry colours. In this order: a non-empty NO_COLOR says no (no-color.org); FORCE_COLOR
 * says no with `0` or `false` and yes with any other non-empty value; otherwise a terminal that is not `dumb`.
 */
export function allowsColour(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced) return forced !== "0" && forced !== "false";
  return isTerminal && env["TERM"] !== "dumb";
}

export function createPaint(colour: boolean): Paint {
  if (!colour) return (text) => text;
  // Newer versions of Node would look at the environment once more and drop the colours.
  return (text, tone) => (tone ? styleText(looks[tone], text, { validateStream: false }) : text);
}

const looks = { good: "green", warn: "yellow", bad: "red", quiet: "dim", heading: "bold" } as const;
