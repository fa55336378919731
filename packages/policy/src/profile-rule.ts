import { allowed, type Decision, nearest, refuse } from "@agent-control/base";
import { quoted, renderKeyPath } from "./config-document.ts";
import { findProfile, type TongsConfig } from "./tongs-config.ts";

/** Whose profile is looked at: the agent that calls, the profile to start, the agent to act on. */
export type ProfileRole = "caller" | "spawn" | "target";

/**
 * The profile has a name, is in the configuration as it is now, and has `mcp_control = true`. Codes:
 * `<role>-profile-unnamed`, `<role>-profile-unknown`, `<role>-profile-not-opted-in`.
 */
export function profileOptedIn(config: TongsConfig, name: string | undefined, role: ProfileRole): Decision {
  const subject = subjects[role];
  const next = role === "spawn" ? chooseAnother(config) : startAgain;
  if (name === undefined || name === "") {
    return refuse(`${role}-profile-unnamed`, `${subject} has no name`, next);
  }
  const profile = findProfile(config, name);
  if (profile === undefined) {
    const reason = `${subject}, ${quoted(name)}, is not in the configuration${suggestion(config, name)}`;
    return refuse(`${role}-profile-unknown`, reason, next);
  }
  if (profile.mcpControl) return allowed;
  const table = renderKeyPath(["profiles", name]);
  return refuse(
    `${role}-profile-not-opted-in`,
    `${subject}, ${quoted(name)}, does not have mcp_control = true`,
    role === "spawn" ? next : `Ask the person to set mcp_control = true under [${table}]`,
  );
}

const subjects: Readonly<Record<ProfileRole, string>> = {
  caller: "The calling agent's profile",
  spawn: "The profile to spawn",
  target: "The target agent's profile",
};

const startAgain = "Ask the person to start that agent from a profile that has mcp_control = true";

function chooseAnother(config: TongsConfig): string {
  const names = Object.values(config.profiles).filter((profile) => profile.mcpControl);
  if (names.length === 0)
    return "Ask the person to set mcp_control = true on a profile that agents may start";
  const shown = names.slice(0, 10).map((profile) => profile.name);
  return `Spawn one of the profiles that agents may start: ${shown.join(", ")}`;
}

function suggestion(config: TongsConfig, name: string): string {
  const meant = nearest(name, Object.keys(config.profiles));
  return meant === undefined ? "" : ` (the nearest name is ${quoted(meant)})`;
}
