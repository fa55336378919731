import type { ChoiceFlag, Flag, NumberFlag } from "./command.ts";
import type { UsageFailures } from "./usage-failures.ts";

/** A flag as it was typed. */
export interface TypedFlag {
  /** With its dashes. */
  readonly rawName: string;
  readonly value?: string | undefined;
  /** True for `--flag=value` and `-fvalue`. */
  readonly inlineValue?: boolean | undefined;
}

/** The value of a flag, checked against its type. Throws a `usage` Failure. */
export function readFlagValue(
  flag: Flag,
  typed: TypedFlag,
  failures: UsageFailures,
): boolean | string | number {
  if (flag.type === "boolean") {
    if (typed.value !== undefined) throw failures.unwantedValue(typed.rawName);
    return true;
  }
  if (typed.value === undefined || isProbablyFlag(flag, typed))
    throw failures.missingValue(typed.rawName, flag);
  if (flag.type === "number") return readNumber(flag, typed.value, typed, failures);
  if (flag.type === "choice") return readChoice(flag, typed.value, typed, failures);
  return typed.value;
}

// `--name --json` is a forgotten value; `--offset -5` and `--name=--json` are meant.
function isProbablyFlag(flag: Flag, { value = "", inlineValue }: TypedFlag): boolean {
  if (inlineValue || value === "-" || !value.startsWith("-")) return false;
  return !(flag.type === "number" && decimal.test(value));
}

const decimal = /^[+-]?\d+(?:\.\d+)?$/;

function readNumber(flag: NumberFlag, value: string, typed: TypedFlag, failures: UsageFailures): number {
  const number = decimal.test(value) ? Number(value) : Number.NaN;
  const fits = number >= flag.min && number <= flag.max && (flag.decimals || Number.isInteger(number));
  if (!fits) throw failures.badNumber(typed.rawName, value, flag);
  return number;
}

function readChoice(flag: ChoiceFlag, value: string, typed: TypedFlag, failures: UsageFailures): string {
  if (!flag.choices.includes(value)) throw failures.badChoice(typed.rawName, value, flag.choices);
  return value;
}
