import { Failure, nearest } from "@agent-control/base";

/** A verb's place in the list of a program. */
export interface Named {
  readonly name: string;
  readonly hidden?: boolean;
}

export interface FoundVerb<Verb extends Named> {
  readonly verb: Verb;
  /** The words after the verb's name. */
  readonly rest: readonly string[];
}

/** The verb that the first words name, the longest name first. Throws a `usage` Failure with the nearest verb. */
export function findVerb<Verb extends Named>(
  program: string,
  verbs: readonly Verb[],
  words: readonly string[],
): FoundVerb<Verb> {
  const found = matchVerb(verbs, words);
  if (!found) throw unknownVerb(program, verbs, words);
  return found;
}

/** The verb that the first words name, the longest name first; undefined when they name none. */
export function matchVerb<Verb extends Named>(
  verbs: readonly Verb[],
  words: readonly string[],
): FoundVerb<Verb> | undefined {
  let longest: FoundVerb<Verb> | undefined;
  for (const verb of verbs) {
    const name = verb.name.split(" ");
    const rest = words.slice(name.length);
    if (startsWith(words, name) && !(longest && longest.rest.length <= rest.length)) longest = { verb, rest };
  }
  return longest;
}

function startsWith(words: readonly string[], name: readonly string[]): boolean {
  return name.every((word, index) => words[index] === word);
}

function unknownVerb(program: string, verbs: readonly Named[], words: readonly string[]): Failure {
  const [first = "", second] = words;
  if (first.startsWith("-")) return flagBeforeVerb(program, first);
  const names = verbs.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const group = names.filter((name) => name.startsWith(`${first} `));
  const hasSecond = second !== undefined && !second.startsWith("-");
  if (group.length > 0 && !hasSecond) return incompleteVerb(program, first, group);
  const typed = group.length > 0 ? `${first} ${second}` : first;
  const guess = group.length > 0 ? nearest(typed, group) : nearest(first, names.flatMap(firstWordAndName));
  return new Failure("usage", {
    code: "unknown-verb",
    message: `There is no verb "${typed}"`,
    next: guess
      ? `Did you mean "${program} ${guess}"? "${program} --help" lists the verbs`
      : `"${program} --help" lists the verbs`,
  });
}

function firstWordAndName(name: string): string[] {
  const first = name.split(" ")[0] ?? name;
  return first === name ? [name] : [first, name];
}

function flagBeforeVerb(program: string, flag: string): Failure {
  return new Failure("usage", {
    code: "unknown-flag",
    message: `"${flag}" comes before the verb and is neither --help nor --version`,
    next: `Put flags after the verb; "${program} --help" lists the verbs`,
  });
}

function incompleteVerb(program: string, first: string, group: readonly string[]): Failure {
  return new Failure("usage", {
    code: "unknown-verb",
    message: `"${first}" needs a second word`,
    next: `Write ${group.map((name) => `"${program} ${name}"`).join(" or ")}`,
  });
}
