import { onTerminal as onTerminalOf, type PersonTerminal } from "../shared/terminal.ts";
import { program, type World } from "./world.ts";

export type { PersonTerminal } from "../shared/terminal.ts";

/** Runs the built CLI on a terminal of its own. */
export function onTerminal(
  world: World,
  args: readonly string[],
  options: { readonly env?: Record<string, string>; readonly argv?: readonly string[] } = {},
): PersonTerminal {
  const argv = options.argv ?? [process.execPath, program];
  return onTerminalOf([...argv, ...args], { ...world.env, ...options.env });
}
