import { defineCommand } from "./command.ts";
import { completeWords } from "./completion.ts";
import type { ProgramFacts } from "./own-verbs.ts";
import type { Verb } from "./verbs.ts";

/**
 * `__complete -- WORD...`, called by the completion scripts: one line for each value, with its summary after a
 * tab, or `:files` where a file name is wanted.
 */
export function completeCommand({ name }: ProgramFacts, verbs: readonly Verb[]) {
  return defineCommand({
    arguments: [
      { name: "words", summary: "What is typed, the unfinished word last", optional: true, repeated: true },
    ],
    flags: [],
    example: `${name} __complete -- wa`,
    run: async (invocation) => {
      const offered = await completeWords(verbs, invocation.arguments.words);
      const lines =
        offered === "files" ? [":files"] : offered.map(({ value, summary }) => `${value}\t${summary}`);
      return { json: { lines }, human: lines.map((line) => `${line}\n`).join("") };
    },
  });
}
