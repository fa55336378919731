import { stableProgram } from "@agent-control/harness/setup";
import type { CommandPorts } from "../command-ports.ts";

export interface OwnProgram {
  /** argv of this program as others are told to start it; absolute, without a verb. */
  readonly argv: readonly string[];
  /** Why it may be gone soon; undefined when it is there to stay. */
  readonly warning: string | undefined;
}

/** This program where it will still be found tomorrow. */
export function ownProgram({ machine, facts }: Pick<CommandPorts, "machine" | "facts">): OwnProgram {
  const { argv, isTemporary } = stableProgram(machine.files, facts.program);
  const warning = `${argv[1]} is a temporary copy: install it with npm install -g @agent-control/tongs-agents, then run tongs-agents install again`;
  return { argv, warning: isTemporary ? warning : undefined };
}
