import { nearest } from "@agent-control/base";
import { quoted } from "./config-document.ts";
import type { Shape } from "./shape.ts";
import { kindOf } from "./value-kind.ts";

/** A check of a text: what is wrong with it ("must not be empty"), or undefined. */
export type TextCheck = (text: string) => string | undefined;

/** true or false. */
export function flag(otherwise: boolean): Shape<boolean> {
  return (value, spot) => {
    if (value === undefined) return otherwise;
    if (typeof value === "boolean") return value;
    spot.refuse(`must be true or false, not ${kindOf(value, spot.tableWord)}`);
    return otherwise;
  };
}

/** A whole number from `least` to `most`; `6.0` is not one. */
export function wholeNumber(least: number, most: number, otherwise: number): Shape<number> {
  return (value, spot) => {
    if (value === undefined) return otherwise;
    if (typeof value === "bigint" && value >= least && value <= most) return Number(value);
    const seen = typeof value === "bigint" ? shownNumber(value) : kindOf(value, spot.tableWord);
    spot.refuse(`must be a whole number from ${least} to ${most}, not ${seen}`);
    return otherwise;
  };
}

/** One of a few words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  otherwise: NoInfer<Word>,
): Shape<Word> {
  return (value, spot) => {
    if (value === undefined) return otherwise;
    const word = words.find((candidate) => candidate === value);
    if (word !== undefined) return word;
    const seen = typeof value === "string" ? shownWord(value, words) : kindOf(value, spot.tableWord);
    spot.refuse(`must be ${words.map(quoted).join(" or ")}, not ${seen}`);
    return otherwise;
  };
}

/** A text that passes the check; a number is not taken for one. */
export function text(otherwise: string, check: TextCheck): Shape<string> {
  return (value, spot) => {
    if (value === undefined) return otherwise;
    if (typeof value === "string") {
      const wrong = check(value);
      if (wrong === undefined) return value;
      spot.refuse(wrong);
    } else {
      const quotable = typeof value === "boolean" || typeof value === "number" || typeof value === "bigint";
      spot.refuse(
        `must be text, not ${kindOf(value, spot.tableWord)}`,
        quotable ? "Put it in quotes" : undefined,
      );
    }
    return otherwise;
  };
}

function shownNumber(value: bigint): string {
  const digits = `${value}`;
  return digits.length > 20 ? "a number this large" : digits;
}

function shownWord(value: string, words: readonly string[]): string {
  const meant = nearest(value, words);
  return meant === undefined ? quoted(value) : `${quoted(value)} (did you mean ${quoted(meant)}?)`;
}
