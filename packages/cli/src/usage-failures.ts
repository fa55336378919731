import { Failure, nearest } from "@agent-control/base";
import type { Argument, Flag, NumberFlag } from "./command.ts";
import { argumentSpelling, longSpelling } from "./spelling.ts";

/** The ways the words of a command line can be wrong, in sentences that name the verb's help. */
export type UsageFailures = ReturnType<typeof createUsageFailures>;

/** `commandLine` is the program and its verb, e.g. `tongs-agents wait`. */
export function createUsageFailures(commandLine: string) {
  const help = `"${commandLine} --help" explains`;
  const fail = (code: string, message: string, next: string) => new Failure("usage", { code, message, next });
  return {
    unknownFlag: (typed: string, flags: readonly Flag[]) => {
      const guess = nearest(
        typed,
        flags.map(({ name }) => `--${name}`),
      );
      return fail(
        "unknown-flag",
        `"${commandLine}" has no flag ${shortened(typed)}`,
        guess
          ? `Did you mean ${guess}? ${help}`
          : `Write -- before words that begin with a dash and are no flags; ${help}`,
      );
    },
    repeatedFlag: (typed: string) =>
      fail("repeated-flag", `${typed} is given more than once`, "Keep one of them"),
    unwantedValue: (typed: string) =>
      fail("unwanted-value", `${typed} is a switch and takes no value`, `Write ${typed} alone`),
    missingValue: (typed: string, flag: Flag) =>
      fail(
        "missing-value",
        `${typed} needs a value`,
        `Write ${longSpelling(flag)}, or --${flag.name}=… for a value that begins with a dash`,
      ),
    badNumber: (typed: string, value: string, { min, max, decimals }: NumberFlag) =>
      fail(
        "bad-value",
        `${typed} cannot be ${quoted(value)}`,
        `Give a ${decimals ? "" : "whole "}number from ${min} to ${max}`,
      ),
    badChoice: (typed: string, value: string, choices: readonly string[]) => {
      const guess = nearest(value, choices);
      return fail(
        "bad-value",
        `${typed} cannot be ${quoted(value)}`,
        `${guess ? `Did you mean ${guess}? ` : ""}It is one of ${choices.join(", ")}`,
      );
    },
    missingArgument: (argument: Argument) =>
      fail("missing-argument", `${argumentSpelling(argument)} is missing`, help),
    extraWord: (word: string) =>
      fail("extra-argument", `${quoted(word)} is one word too many`, `Quote text that has spaces; ${help}`),
  };
}

function quoted(text: string): string {
  return `"${shortened(text)}"`;
}

function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
