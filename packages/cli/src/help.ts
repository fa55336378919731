import type { CommandShape } from "./command.ts";
import { findVerb, matchVerb } from "./find-verb.ts";
import type { ProgramFacts } from "./own-verbs.ts";
import { argumentSpelling, argumentSummary, flagSpelling, flagSummary, usageLine } from "./spelling.ts";
import { allFlags } from "./standard-flags.ts";
import type { Verb } from "./verbs.ts";

interface Wanted {
  /** The words of a verb or of a group of verbs; [] for the program. */
  readonly words: readonly string[];
  readonly columns: number;
}

type Row = readonly [left: string, right: string];

/** The help of a program, of a group of verbs, or of one verb. Throws a `usage` Failure for an unknown verb. */
export async function renderHelp(
  program: ProgramFacts,
  verbs: readonly Verb[],
  { words, columns }: Wanted,
): Promise<string> {
  const isBelow = ({ name }: Verb) => words.every((word, index) => name.split(" ")[index] === word);
  const group = verbs.filter((verb) => isBelow(verb) && !verb.hidden);
  if (group.length > 0 && !matchVerb(verbs, words)) return programHelp(program, group, columns);
  const { verb } = findVerb(program.name, verbs, words);
  return verbHelp(program, { verb, command: await verb.load() }, columns);
}

function programHelp(program: ProgramFacts, verbs: readonly Verb[], columns: number): string {
  const flags: Row[] = [
    ["-h, --help", "Show this help"],
    ["--version", "Show the version"],
  ];
  return paragraphs([
    `${program.name} - ${program.summary}`,
    `Usage: ${program.name} VERB [flags]`,
    section(
      "Verbs",
      verbs.map(({ name, summary }) => [name, summary]),
      columns,
    ),
    section("Flags", flags, columns),
    `"${program.name} VERB --help" explains one verb with an example.`,
  ]);
}

interface LoadedVerb {
  readonly verb: Verb;
  readonly command: CommandShape;
}

function verbHelp(program: ProgramFacts, { verb, command }: LoadedVerb, columns: number): string {
  const commandLine = `${program.name} ${verb.name}`;
  const description = command.description?.split("\n\n") ?? [];
  return paragraphs([
    `${commandLine} - ${verb.summary}`,
    `Usage: ${usageLine(commandLine, command)}`,
    ...description.map((text) => wrap(text, textWidth(columns)).join("\n")),
    section(
      "Arguments",
      command.arguments.map((one) => [argumentSpelling(one), argumentSummary(one)]),
      columns,
    ),
    section(
      "Flags",
      allFlags(command).map((one) => [flagSpelling(one), flagSummary(one)]),
      columns,
    ),
    `Example:\n  ${command.example}`,
  ]);
}

function paragraphs(texts: readonly string[]): string {
  return `${texts.filter((text) => text !== "").join("\n\n")}\n`;
}

function section(title: string, rows: readonly Row[], columns: number): string {
  if (rows.length === 0) return "";
  const left = Math.min(Math.max(...rows.map(([text]) => text.length)), Math.floor(textWidth(columns) / 3));
  return [`${title}:`, ...rows.flatMap((row) => renderRow(row, left, textWidth(columns)))].join("\n");
}

function renderRow([name, summary]: Row, left: number, width: number): string[] {
  const indent = " ".repeat(left + 4);
  const lines = wrap(summary, width - indent.length);
  if (name.length > left) return [`  ${name}`, ...lines.map((line) => indent + line)];
  return lines.map((line, index) => (index === 0 ? `  ${name.padEnd(left)}  ${line}` : indent + line));
}

function textWidth(columns: number): number {
  return Math.max(40, Math.min(columns, 100));
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
