import { renderFailure } from "@agent-control/base";
import type { Answer } from "@agent-control/cli";
import type { Step } from "./change-file.ts";
import type { AgentSetup } from "./set-up-agents.ts";

/** The answer of install, uninstall and mcp register; exit code 1 when an agent CLI failed. */
export function setupAnswer(
  setups: readonly AgentSetup[],
  facts: { readonly dryRun: boolean; readonly program: readonly string[] },
): Answer {
  const failed = setups.some(({ failure }) => failure !== undefined);
  return {
    json: { ok: !failed, dry_run: facts.dryRun, program: facts.program, agents: setups.map(shownSetup) },
    human: setups.flatMap(setupLines).join("\n"),
    exitCode: failed ? 1 : 0,
  };
}

function shownSetup({ agent, steps, notes, failure }: AgentSetup) {
  return {
    agent,
    ok: failure === undefined,
    steps,
    notes,
    ...(failure ? { error: renderFailure(failure), code: failure.code } : {}),
  };
}

function setupLines({ title, steps, notes, failure }: AgentSetup): string[] {
  const lines = steps.flatMap((step) => stepLines(title, step));
  const problem = failure ? [`${title}: not done: ${renderFailure(failure)}`] : [];
  return [...lines, ...problem, ...notes];
}

const words: Readonly<Record<Step["state"], string>> = {
  unchanged: "nothing to change in",
  written: "written to",
  removed: "removed from",
  "would-write": "would be written to",
  "would-remove": "would be removed from",
};

function stepLines(title: string, { what, state, path, change }: Step): string[] {
  const isPreview = state.startsWith("would-") && change !== "";
  return [`${title}: ${what} ${words[state]} ${path}`, ...(isPreview ? [change] : [])];
}
