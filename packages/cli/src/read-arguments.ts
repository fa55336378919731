import type { Argument, ArgumentValues } from "./command.ts";
import type { UsageFailures } from "./usage-failures.ts";

/** Gives the words to the arguments in order. Throws a `usage` Failure for a missing, extra or unknown word. */
export function readArguments(
  args: readonly Argument[],
  words: readonly string[],
  failures: UsageFailures,
): ArgumentValues {
  const takesRest = args.at(-1)?.repeated === true;
  const extra = words[args.length];
  if (extra !== undefined && !takesRest) throw failures.extraWord(extra);
  return Object.fromEntries(
    args.map((argument, index) => {
      const given = argument.repeated ? words.slice(index) : words.slice(index, index + 1);
      if (given.length === 0 && !argument.optional) throw failures.missingArgument(argument);
      checkChoices(argument, given, failures);
      return [argument.name, argument.repeated ? given : given[0]];
    }),
  );
}

function checkChoices({ name, choices }: Argument, given: readonly string[], failures: UsageFailures): void {
  const wrong = choices && given.find((word) => !choices.includes(word));
  if (choices && wrong !== undefined) throw failures.badChoice(name.toUpperCase(), wrong, choices);
}
