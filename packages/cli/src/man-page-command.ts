import { defineCommand } from "./command.ts";
import { renderManPage } from "./man-page.ts";
import type { ProgramFacts } from "./own-verbs.ts";
import type { Verb } from "./verbs.ts";

/** `man-page`. */
export function manPageCommand(program: ProgramFacts, verbs: readonly Verb[]) {
  return defineCommand({
    arguments: [],
    flags: [],
    example: `${program.name} man-page | man -l -`,
    run: async () => {
      const page = await renderManPage(program, verbs);
      return { json: { page }, human: page };
    },
  });
}
