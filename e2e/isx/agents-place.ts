import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { claudeBinary, codexBinary, opencodeBinary } from "@agent-control/fake-model";
import { it } from "vitest";
import { createPlace, type Place } from "./world.ts";

const others = new URL("../tongs-agents/package.json", import.meta.url);

/** The agent CLIs of npm that are installed here. */
export const installed = {
  claude: find(() => claudeBinary(import.meta.url)),
  codex: find(() => codexBinary(others)),
  opencode: find(() => opencodeBinary(others)),
};

export type AgentName = keyof typeof installed;

/** Like `it`, for tests that need a real agent CLI; in CI they fail without it. */
export function agentIt(agent: AgentName): typeof it.skip {
  return it.skipIf(installed[agent] === undefined) as typeof it.skip;
}

/** A place whose PATH holds just these agent CLIs, real where they are installed, and the system's programs. */
export function createAgentsPlace(agents: readonly AgentName[], env: Record<string, string> = {}): Place {
  const place = createPlace(env);
  const programs = join(place.root, "programs");
  mkdirSync(programs);
  for (const agent of agents) {
    const path = join(programs, agent);
    const real = installed[agent];
    if (real !== undefined) symlinkSync(real, path);
    else writeFileSync(path, "#!/bin/sh\nexit 0\n");
    if (real === undefined) chmodSync(path, 0o755);
  }
  place.env["PATH"] = `${programs}:${dirname(process.execPath)}:/usr/bin:/bin`;
  place.env["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] = "1";
  place.env["DISABLE_AUTOUPDATER"] = "1";
  return place;
}

/** A directory without anything, as a person's project. */
export function projectIn(place: Place): string {
  const directory = join(place.root, "project");
  mkdirSync(directory, { recursive: true });
  return directory;
}

function find(locate: () => string): string | undefined {
  try {
    return locate();
  } catch (error) {
    if (process.env["CI"]) throw error;
    return undefined;
  }
}
