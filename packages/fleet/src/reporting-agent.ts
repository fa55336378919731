import { basename } from "node:path";
import { ancestors, asFailure, type ProcessSeen, type ProcessTable } from "@agent-control/base";
import { type AgentProgram, agentProgram, type HarnessId } from "@agent-control/harness";
import { type ClaimedLaunch, isClaimed } from "./launch.ts";
import type { Launches } from "./launches.ts";

/** Who a hook speaks for. */
export interface Reporter {
  /** The process of the agent CLI that ran the hook; undefined when it cannot be told. */
  readonly process: ProcessSeen | undefined;
  readonly launchId: string | undefined;
}

interface Question {
  /** The agent CLI that the hook is registered with. */
  readonly harness: HarnessId;
  /** `TONGS_AGENTS_LAUNCH_ID` of the hook, which every program below a launch inherits. */
  readonly launchId: string | undefined;
}

/** An ancestor of the hook. */
interface Step {
  readonly seen: ProcessSeen;
  readonly argv: readonly string[];
  readonly program: AgentProgram | undefined;
  readonly isRecorded: boolean;
}

/**
 * Whose event the calling process reports. It is the launch's only if the nearest agent CLI above is the launch's
 * process or the one that the process was written to run: an agent started by an agent reports for itself.
 */
export function reportingAgent(
  ports: { readonly processTable: ProcessTable; readonly launches: Launches },
  question: Question,
): Reporter {
  const launch = claimedLaunch(ports.launches, question.launchId);
  const steps = stepsAbove(ports.processTable, launch);
  // A profile may name the harness of a program that nobody could know by its name.
  const isAgent = ({ program, isRecorded }: Step) =>
    program ? program.harness === question.harness : isRecorded && launch?.harness === question.harness;
  const agent = steps.find(isAgent);
  if (!agent) return { process: undefined, launchId: undefined };
  const isNearest = steps.find((step) => step.program !== undefined || step.isRecorded) === agent;
  const isIt = isNearest && speaksForLaunch(agent, steps.slice(steps.indexOf(agent) + 1));
  return { process: agent.seen, launchId: isIt ? launch?.id : undefined };
}

/** A record that cannot be used names nobody. */
function claimedLaunch(launches: Launches, id: string | undefined): ClaimedLaunch | undefined {
  if (id === undefined) return undefined;
  try {
    const launch = launches.read(id);
    return launch && isClaimed(launch) ? launch : undefined;
  } catch (error) {
    if (!asFailure(error)) throw error;
    return undefined;
  }
}

function stepsAbove(table: ProcessTable, launch: ClaimedLaunch | undefined): Step[] {
  return ancestors(table, table.self().pid).map((seen) => {
    const argv = table.argv(seen.pid) ?? [];
    const recorded = launch?.process;
    const isRecorded =
      seen.pid === recorded?.pid && seen.start === recorded.start && seen.bootId === recorded.bootId;
    return { seen, argv, program: agentProgram(argv), isRecorded };
  });
}

function speaksForLaunch(agent: Step, above: readonly Step[]): boolean {
  if (agent.isRecorded) return true;
  const index = above.findIndex(({ isRecorded }) => isRecorded);
  const recorded = above[index];
  if (!recorded) return false;
  const between = above.slice(0, index);
  if (recorded.program === undefined) return between.every(isShell);
  // The script of an npm package, which stays above the native program that it started.
  const { harness, isScript } = recorded.program;
  return (
    between.length === 0 && isScript && agent.program?.isScript === false && agent.program.harness === harness
  );
}

/** npx starts its program through one. */
function isShell({ argv }: Step): boolean {
  return ["sh", "bash", "dash", "zsh"].includes(basename(argv[0] ?? ""));
}
