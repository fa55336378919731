import {
  type AgentEnvironment,
  codexBinary,
  type HomeOptions,
  opencodeBinary,
  piScript,
  prepareCodexHome,
  prepareOpencodeHome,
  preparePiHome,
} from "@agent-control/fake-model";

export type RealAgentId = "codex" | "opencode" | "pi";

interface RealAgent {
  /** Makes a home in which it asks only the scripted model. */
  prepare(options: HomeOptions): AgentEnvironment;
  /** Throws where it is not installed. */
  argv(): readonly string[];
  /** With which it starts without a dialog and leaves nothing running. */
  readonly flags: readonly string[];
}

/** The agent CLIs beside Claude Code. */
export const realAgents: Readonly<Record<RealAgentId, RealAgent>> = {
  codex: {
    prepare: prepareCodexHome,
    argv: () => [codexBinary(import.meta.url)],
    flags: ["--no-daemon", "--dangerously-bypass-hook-trust"],
  },
  opencode: {
    prepare: (options) => prepareOpencodeHome({ ...options, permission: { bash: "ask" } }),
    argv: () => [opencodeBinary(import.meta.url)],
    flags: [],
  },
  pi: { prepare: preparePiHome, argv: () => [process.execPath, piScript(import.meta.url)], flags: [] },
};

/** Whether the agent is installed; a missing one fails where CI is set. */
export function isInstalled(agent: RealAgentId): boolean {
  try {
    return realAgents[agent].argv().length > 0;
  } catch (error) {
    if (process.env["CI"]) throw error;
    console.warn(`Skipped: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
