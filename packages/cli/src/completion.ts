import type { Command, Flag } from "./command.ts";
import { matchVerb } from "./find-verb.ts";
import { tokensOf } from "./parse-words.ts";
import { allFlags } from "./standard-flags.ts";
import type { Verb } from "./verbs.ts";

export interface Offer {
  readonly value: string;
  readonly summary: string;
}

/** What may stand in place of the last of `words`, or "files" where a file name is wanted. */
export async function completeWords(
  verbs: readonly Verb[],
  words: readonly string[],
): Promise<readonly Offer[] | "files"> {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const offered = await offersAfter(verbs, before, current);
  if (offered === "files") return offered;
  return offered.filter(({ value }) => value.startsWith(current) && isOneWord.test(value));
}

// A value with blanks or control characters would be torn apart by the shells' line protocol.
const isOneWord = /^[^\s\p{Cc}]+$/u;

async function offersAfter(
  verbs: readonly Verb[],
  before: readonly string[],
  current: string,
): Promise<readonly Offer[] | "files"> {
  const found = matchVerb(verbs, before);
  const furtherNames = current.startsWith("-") ? [] : namesAfter(verbs, before);
  if (!found) return furtherNames;
  const offered = await offersIn(await found.verb.load(), found.rest, current);
  return offered === "files" ? offered : [...furtherNames, ...offered];
}

function namesAfter(verbs: readonly Verb[], before: readonly string[]): Offer[] {
  const offers = new Map<string, Offer>();
  for (const { name, summary, hidden } of verbs) {
    const words = name.split(" ");
    const next = words[before.length];
    if (hidden || next === undefined || !before.every((word, index) => word === words[index])) continue;
    const isWhole = words.length === before.length + 1;
    if (isWhole || !offers.has(next)) offers.set(next, { value: next, summary: isWhole ? summary : "" });
  }
  return [...offers.values()];
}

async function offersIn(
  command: Command<undefined>,
  before: readonly string[],
  current: string,
): Promise<readonly Offer[] | "files"> {
  const flags = allFlags(command);
  if (!before.includes("--")) {
    const [, inline] = /^--([^=]+)=/.exec(current) ?? [];
    if (inline !== undefined)
      return prefixed(`--${inline}=`, await flagValues(command, byName(flags, inline)));
    const waiting = valueFlag(flags, before.at(-1));
    if (waiting) return flagValues(command, waiting);
    if (current.startsWith("-")) return flagNames(flags, before);
  }
  return argumentValues(command, flags, before);
}

function prefixed(prefix: string, offers: readonly Offer[] | "files"): readonly Offer[] {
  // Shells complete file names only as whole words.
  if (offers === "files") return [];
  return offers.map(({ value, summary }) => ({ value: prefix + value, summary }));
}

function byName(flags: readonly Flag[], name: string): Flag | undefined {
  return flags.find((flag) => flag.name === name);
}

function valueFlag(flags: readonly Flag[], word: string | undefined): Flag | undefined {
  return flags.find(
    (flag) =>
      flag.type !== "boolean" &&
      (word === `--${flag.name}` || (flag.short !== undefined && word === `-${flag.short}`)),
  );
}

function flagNames(flags: readonly Flag[], before: readonly string[]): Offer[] {
  return flags
    .filter((flag) => (flag.type === "string" && flag.repeated) || !before.includes(`--${flag.name}`))
    .map(({ name, summary }) => ({ value: `--${name}`, summary }));
}

async function flagValues(
  command: Command<undefined>,
  flag: Flag | undefined,
): Promise<readonly Offer[] | "files"> {
  if (!flag || flag.type === "boolean") return [];
  if (flag.type === "choice") return plain(flag.choices);
  if (flag.type === "string" && flag.path) return "files";
  return suggested(command, flag.name);
}

async function argumentValues(
  command: Command<undefined>,
  flags: readonly Flag[],
  before: readonly string[],
): Promise<readonly Offer[] | "files"> {
  const given = tokensOf(flags, before).filter(({ kind }) => kind === "positional").length;
  const last = command.arguments.at(-1);
  const argument = command.arguments[given] ?? (last?.repeated ? last : undefined);
  if (!argument) return [];
  if (argument.choices) return plain(argument.choices);
  return argument.path ? "files" : suggested(command, argument.name);
}

async function suggested(command: Command<undefined>, name: string): Promise<readonly Offer[]> {
  return plain((await command.suggest?.(name, undefined)) ?? []);
}

function plain(values: readonly string[]): Offer[] {
  return values.map((value) => ({ value, summary: "" }));
}
