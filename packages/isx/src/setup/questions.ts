/** Asks one question and gives the line; undefined at the end of input. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Yes or no; Enter is `otherwise`, anything else is asked again, the end of input is undefined. */
export async function askYesOrNo(
  ask: Ask,
  question: string,
  otherwise: boolean,
): Promise<boolean | undefined> {
  const answer = await askUntil(ask, `${question} ${otherwise ? "[Y/n]" : "[y/N]"} `, (word) => {
    if (word === "") return otherwise ? "y" : "n";
    return words.get(word);
  });
  return answer === undefined ? undefined : answer === "y";
}

const words = new Map([
  ["y", "y"],
  ["yes", "y"],
  ["n", "n"],
  ["no", "n"],
]);

/** One of a few letters; Enter is "". Anything else is asked again, the end of input is undefined. */
export async function askLetter<const Letter extends string>(
  ask: Ask,
  question: string,
  letters: readonly Letter[],
): Promise<Letter | "" | undefined> {
  return askUntil(ask, question, (word) => (word === "" ? "" : letters.find((letter) => letter === word)));
}

async function askUntil<T>(
  ask: Ask,
  question: string,
  read: (word: string) => T | undefined,
): Promise<T | undefined> {
  for (;;) {
    const line = await ask(question);
    if (line === undefined) return undefined;
    const answer = read(line.trim().toLowerCase());
    if (answer !== undefined) return answer;
  }
}
