import { asFailure, renderFailure } from "@agent-control/base";
import { claimLaunch, createLaunches, execLine } from "@agent-control/fleet";
import { createTmux } from "@agent-control/multiplexer";
import { createMachine } from "@agent-control/system";
import type { ProcessFacts } from "../main.ts";

/**
 * `tongs-agents pane ID STATE_DIR`, run by the pane's launcher: claims the launch for the parent process and prints
 * the shell line that it becomes. On a refusal prints why on stderr and exits with its code.
 */
export async function runPane(argv: readonly string[], facts: Omit<ProcessFacts, "diagnose">): Promise<void> {
  const [id = "", stateDirectory = ""] = argv;
  const machine = createMachine({ onError: (failure) => process.stderr.write(`${failure.message}\n`) });
  const launches = createLaunches(machine, stateDirectory);
  try {
    const env = Object.fromEntries(
      Object.entries(facts.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const multiplexer = await createTmux({ ...machine, env, uid: facts.uid });
    const launch = await claimLaunch({ ...machine, launches, multiplexer }, id);
    process.stdout.write(execLine(launch, Object.keys(facts.env)));
  } catch (error) {
    const failure = asFailure(error);
    process.stderr.write(
      `tongs-agents: ${failure ? renderFailure(failure) : String((error as Error).stack)}\n`,
    );
    process.exitCode = failure?.exitCode ?? 1;
  }
}
