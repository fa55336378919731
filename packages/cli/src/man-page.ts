import { exitCodes } from "@agent-control/base";
import type { CommandShape } from "./command.ts";
import type { ProgramFacts } from "./own-verbs.ts";
import { argumentSpelling, argumentSummary, flagSpelling, flagSummary, usageLine } from "./spelling.ts";
import { allFlags } from "./standard-flags.ts";
import type { Verb } from "./verbs.ts";

/** The manual page of a program in roff with the man macros; the same data gives the same bytes. */
export async function renderManPage(program: ProgramFacts, verbs: readonly Verb[]): Promise<string> {
  const { name, version, summary } = program;
  const shown = verbs.filter(({ hidden }) => !hidden);
  const loaded = await Promise.all(shown.map(async (verb) => ({ verb, command: await verb.load() })));
  return [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${version}"`,
    ".SH NAME",
    roff(`${name} - ${summary}`),
    ".SH SYNOPSIS",
    `.B ${roff(name)}`,
    "VERB [flags]",
    ".SH VERBS",
    ...loaded.flatMap(({ verb, command }) => verbLines(name, verb, command)),
    ".SH EXIT STATUS",
    ...exitStatusLines(),
    ".SH ENVIRONMENT",
    ...term("NO_COLOR", "Not empty: no colours."),
    ...term("FORCE_COLOR", "0 or false: no colours; anything else: colours also in pipes."),
    "",
  ].join("\n");
}

function verbLines(program: string, verb: Verb, command: CommandShape): string[] {
  const usage = usageLine(`${program} ${verb.name}`, command);
  const description = command.description?.split("\n\n") ?? [];
  return [
    `.SS "${roff(usage)}"`,
    roff(`${verb.summary}.`),
    ...description.flatMap((paragraph) => [".PP", roff(paragraph)]),
    ...command.arguments.flatMap((one) => term(argumentSpelling(one), argumentSummary(one))),
    ...allFlags(command).flatMap((flag) => term(flagSpelling(flag), flagSummary(flag))),
    ".PP",
    "Example:",
    ".RS 4",
    ".nf",
    ...command.example.split("\n").map(roff),
    ".fi",
    ".RE",
  ];
}

function exitStatusLines(): string[] {
  const outcomes = new Map<number, string[]>();
  for (const [outcome, code] of Object.entries(exitCodes)) {
    outcomes.set(code, [...(outcomes.get(code) ?? []), outcome]);
  }
  return [...outcomes].flatMap(([code, words]) => term(String(code), words.join(" or ")));
}

function term(left: string, right: string): string[] {
  return [".TP", `.B "${roff(left)}"`, roff(right)];
}

/** One line of text with everything escaped that roff would act on or print as another character. */
function roff(text: string): string {
  const escaped = text
    .replace(/\s+/g, " ")
    .replace(/[\\\-'"`^~]/g, (character) => escapes[character] ?? character);
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  '"': "\\(dq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
};
