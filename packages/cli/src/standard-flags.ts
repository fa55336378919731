import type { BooleanFlag, CommandShape, Flag } from "./command.ts";

const json: BooleanFlag = { name: "json", type: "boolean", summary: "Print one JSON document" };
const help: BooleanFlag = { name: "help", short: "h", type: "boolean", summary: "Show this help" };

/** A verb's own flags and those that every verb has. */
export function allFlags(command: CommandShape): readonly Flag[] {
  return [...command.flags, ...(command.ownsStdout ? [] : [json]), help];
}

/** The words of the verb whose help is asked for, [] for the program's; undefined when no help is asked for. */
export function helpRequest(words: readonly string[]): readonly string[] | undefined {
  if (words.length === 0) return [];
  if (words[0] === "help") return words.slice(1);
  if (!hasFlag(words, "--help") && !hasFlag(words, "-h")) return undefined;
  return words.slice(
    0,
    words.findIndex((word) => word.startsWith("-")),
  );
}

/** Whether JSON is asked for, also when the other words could not be read. */
export function asksForJson(words: readonly string[]): boolean {
  return hasFlag(words, "--json");
}

function hasFlag(words: readonly string[], flag: string): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end < 0 ? undefined : end).includes(flag);
}
