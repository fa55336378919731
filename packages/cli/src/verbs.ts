import type { Command, Listing, Program } from "./command.ts";
import { ownVerbs } from "./own-verbs.ts";

/** A verb that is already bound to the ports of its program. */
export type Verb = Listing<undefined>;

/** Every verb of a program, those that this package adds included. Loads nothing. */
export function verbsOf<Ports>(program: Program<Ports>): readonly Verb[] {
  const verbs: readonly Verb[] = program.commands.map((listing) => ({
    ...listing,
    load: async () => bind(await listing.load(), program),
  }));
  return [...verbs, ...ownVerbs(program, () => verbsOf(program))];
}

function bind<Ports>(command: Command<Ports>, program: Program<Ports>): Command<undefined> {
  const { suggest, ...shape } = command;
  return {
    ...shape,
    run: async (invocation) => command.run(invocation, await program.ports()),
    ...(suggest ? { suggest: async (name: string) => suggest(name, await program.ports()) } : {}),
  };
}
