import type { Verb } from "./verbs.ts";

/** What a program says about itself. */
export interface ProgramFacts {
  readonly name: string;
  readonly version: string;
  /** One line without a full stop. */
  readonly summary: string;
}

/** The verbs that every program has; `verbs` lists all of the program's. */
export function ownVerbs(program: ProgramFacts, verbs: () => readonly Verb[]): readonly Verb[] {
  return [
    {
      name: "completion",
      summary: "Print the completion script of a shell",
      load: async () => (await import("./completion-command.ts")).completionCommand(program),
    },
    {
      name: "man-page",
      summary: "Print the manual page",
      hidden: true,
      load: async () => (await import("./man-page-command.ts")).manPageCommand(program, verbs()),
    },
    {
      name: "__complete",
      summary: "Print what may come next on a command line",
      hidden: true,
      load: async () => (await import("./complete-command.ts")).completeCommand(program, verbs()),
    },
  ];
}
