import { parseArgs } from "node:util";
import type { ArgumentValues, CommandShape, Flag, FlagValues } from "./command.ts";
import { readFlagValue } from "./flag-value.ts";
import { readArguments } from "./read-arguments.ts";
import { allFlags } from "./standard-flags.ts";
import type { UsageFailures } from "./usage-failures.ts";

export interface ParsedWords {
  readonly arguments: ArgumentValues;
  readonly flags: FlagValues;
}

/**
 * Reads the words after a verb: `--flag value`, `--flag=value`, `-f value`, `-fvalue`, grouped short flags, and
 * `--` before words that begin with a dash. Throws a `usage` Failure at the first word it cannot read.
 */
export function parseWords(
  command: CommandShape,
  words: readonly string[],
  failures: UsageFailures,
): ParsedWords {
  const flags = allFlags(command);
  const { given, positionals } = collect(flags, words, failures);
  return {
    flags: Object.fromEntries(flags.map((flag) => [flag.name, valueOfFlag(flag, given.get(flag.name))])),
    arguments: readArguments(command.arguments, positionals, failures),
  };
}

type Value = boolean | string | number;

interface Collected {
  readonly given: ReadonlyMap<string, readonly Value[]>;
  readonly positionals: readonly string[];
}

function collect(flags: readonly Flag[], words: readonly string[], failures: UsageFailures): Collected {
  const given = new Map<string, Value[]>();
  const positionals: string[] = [];
  for (const token of tokensOf(flags, words)) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const flag = flags.find(({ name }) => name === token.name);
    if (!flag) throw failures.unknownFlag(token.rawName, flags);
    const before = given.get(flag.name) ?? [];
    if (before.length > 0 && flag.type !== "boolean" && !isRepeated(flag))
      throw failures.repeatedFlag(token.rawName);
    given.set(flag.name, [...before, readFlagValue(flag, token, failures)]);
  }
  return { given, positionals };
}

/** The words as Node's own parser splits them, nothing judged yet. */
export function tokensOf(flags: readonly Flag[], words: readonly string[]) {
  const options = Object.fromEntries(
    flags.map(({ name, short, type }) => [
      name,
      { type: type === "boolean" ? ("boolean" as const) : ("string" as const), ...(short ? { short } : {}) },
    ]),
  );
  // Not strict: the tokens are judged here, in our own sentences.
  return parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function isRepeated(flag: Flag): boolean {
  return flag.type === "string" && flag.repeated === true;
}

function valueOfFlag(flag: Flag, given: readonly Value[] | undefined): Value | readonly string[] | undefined {
  if (flag.type === "boolean") return given !== undefined;
  if (isRepeated(flag)) return given?.map(String) ?? [];
  return given?.[0] ?? flag.default;
}
