import type { Argument, CommandShape, Flag } from "./command.ts";

/** How an argument is written in a usage line: `ID`, `[TEXT]`, `NAME...`. */
export function argumentSpelling({ name, optional, repeated }: Argument): string {
  const word = `${name.toUpperCase()}${repeated ? "..." : ""}`;
  return optional ? `[${word}]` : word;
}

/** How a flag is written with all its names: `-t, --timeout SECONDS`. */
export function flagSpelling(flag: Flag): string {
  return flag.short ? `-${flag.short}, ${longSpelling(flag)}` : longSpelling(flag);
}

/** How a flag is written out: `--timeout SECONDS`. */
export function longSpelling(flag: Flag): string {
  if (flag.type === "boolean") return `--${flag.name}`;
  return `--${flag.name} ${flag.type === "choice" ? flag.choices.join("|") : flag.value}`;
}

/** The summary of a flag with its range and default. */
export function flagSummary(flag: Flag): string {
  const facts = [
    ...(flag.type === "number" ? [`${flag.min} to ${flag.max}`] : []),
    ...(flag.type === "string" && flag.repeated ? ["may be repeated"] : []),
    ...(flag.type !== "boolean" && flag.default !== undefined ? [`default ${flag.default}`] : []),
  ];
  return facts.length > 0 ? `${flag.summary} (${facts.join(", ")})` : flag.summary;
}

/** The summary of an argument with its choices. */
export function argumentSummary({ summary, choices }: Argument): string {
  return choices ? `${summary} (${choices.join(", ")})` : summary;
}

/** The usage line of a verb after `Usage: `. */
export function usageLine(commandLine: string, command: CommandShape): string {
  return [commandLine, ...command.arguments.map(argumentSpelling), "[flags]"].join(" ");
}
