import { type Decision, requireAllowed } from "@agent-control/base";
import { expect, it } from "vitest";
import {
  controlEnabled,
  launchVariablePresent,
  mayNest,
  notItself,
  owns,
  parseTongsConfig,
  profileOptedIn,
  underAgentCap,
} from "../src/index.ts";
import { failureOf } from "./refused.ts";

const configOf = (text: string) => parseTongsConfig(Buffer.from(text), "config.toml");
const config = await configOf(`
  [profiles.lead]
  command = ["claude"]
  [profiles.worker]
  command = ["codex"]
  mcp_control = true`);
const open = await configOf(`
  [control]
  mcp_enabled = true
  mcp_any_target = true
  mcp_nested_spawn = true
  mcp_max_agents = 2`);

const allowed = { allow: true };
const refused = (code: string, reason: string, next: string) => ({
  allow: false,
  outcome: "refused",
  code,
  reason,
  next,
});

it("T-15 refuses every call while control is off, naming the key and the file", () => {
  expect(controlEnabled(open, "/c/config.toml")).toEqual(allowed);
  expect(controlEnabled(config, "/c/config.toml")).toEqual(
    refused(
      "control-disabled",
      "Control of agents is switched off",
      "Ask the person to set mcp_enabled = true under [control] in /c/config.toml",
    ),
  );
});

it("T-14 T-15 sends a server without a launch id to tongs-agents install", () => {
  expect(launchVariablePresent("abc")).toEqual(allowed);
  for (const missing of [undefined, ""]) {
    expect(launchVariablePresent(missing)).toEqual(
      refused(
        "caller-unknown",
        "This MCP server was started without TONGS_AGENTS_LAUNCH_ID, so it cannot tell which agent is calling",
        "Ask the person to run `tongs-agents install` and to start this agent with `tongs-agents launch` or `tongs-agents workspace`",
      ),
    );
  }
});

it.each([
  ["caller", "The calling agent's profile"],
  ["target", "The target agent's profile"],
] as const)("T-15 refuses a %s without a profile that today's configuration opts in", (role, subject) => {
  const startAgain = "Ask the person to start that agent from a profile that has mcp_control = true";
  expect(profileOptedIn(config, "worker", role)).toEqual(allowed);
  for (const unnamed of [undefined, ""]) {
    expect(profileOptedIn(config, unnamed, role)).toEqual(
      refused(`${role}-profile-unnamed`, `${subject} has no name`, startAgain),
    );
  }
  expect(profileOptedIn(config, "gone", role)).toEqual(
    refused(`${role}-profile-unknown`, `${subject}, "gone", is not in the configuration`, startAgain),
  );
  expect(profileOptedIn(config, "lead", role)).toEqual(
    refused(
      `${role}-profile-not-opted-in`,
      `${subject}, "lead", does not have mcp_control = true`,
      "Ask the person to set mcp_control = true under [profiles.lead]",
    ),
  );
});

it("T-15 refuses to spawn an unknown, unnamed or closed profile, naming the ones that may be spawned", () => {
  const next = "Spawn one of the profiles that agents may start: worker";
  expect(profileOptedIn(config, "worker", "spawn")).toEqual(allowed);
  expect(profileOptedIn(config, "", "spawn")).toEqual(
    refused("spawn-profile-unnamed", "The profile to spawn has no name", next),
  );
  expect(profileOptedIn(config, "wroker", "spawn")).toEqual(
    refused(
      "spawn-profile-unknown",
      'The profile to spawn, "wroker", is not in the configuration (the nearest name is "worker")',
      next,
    ),
  );
  expect(profileOptedIn(config, "lead", "spawn")).toEqual(
    refused(
      "spawn-profile-not-opted-in",
      'The profile to spawn, "lead", does not have mcp_control = true',
      next,
    ),
  );
  expect(profileOptedIn(open, "lead", "spawn")).toMatchObject({
    next: "Ask the person to set mcp_control = true on a profile that agents may start",
  });
});

it.each(["__proto__", "constructor", "toString"])("T-15 knows no profile %s that nobody wrote", (name) => {
  expect(profileOptedIn(config, name, "spawn")).toMatchObject({ code: "spawn-profile-unknown" });
});

it("T-15 shows control characters and length of a hostile profile name escaped and cut", () => {
  const decision = profileOptedIn(config, `\u001b[2J\n${"x".repeat(5_000)}`, "spawn");
  expect(reasonOf(decision)).toMatch(/^The profile to spawn, "\\u\{1b\}\[2J\\nx+…", is not in the config/);
  expect(reasonOf(decision).length).toBeLessThan(160);
});

it("T-15 lets an agent that an agent started start more only with mcp_nested_spawn", () => {
  expect(mayNest(config, { spawnedBy: undefined })).toEqual(allowed);
  expect(mayNest(open, { spawnedBy: "l1" })).toEqual(allowed);
  expect(mayNest(config, { spawnedBy: "l1" })).toEqual(
    refused(
      "nested-spawn-disabled",
      "This agent was started by another agent and may not start more",
      "Do the work here, or ask the person to set mcp_nested_spawn = true under [control]",
    ),
  );
});

it("T-15 allows an agent as long as fewer than mcp_max_agents live", () => {
  expect(underAgentCap(open, 1)).toEqual(allowed);
  expect(underAgentCap(open, 2)).toEqual(
    refused(
      "agent-cap-reached",
      "2 agents started by agents are running or starting, and mcp_max_agents allows 2",
      "Wait until one of them has ended, or ask the person to close one or to raise mcp_max_agents under [control]",
    ),
  );
});

it("T-15 refuses the caller's own launch and its own pane, and nothing that only resembles it", () => {
  const caller = { launchId: "l1", multiplexer: "tmux", socket: "/tmp/tmux-0/default", paneId: "%1" };
  const next = "Name the launch id of another agent";
  expect(notItself(caller, { ...caller, paneId: "%2" })).toEqual(
    refused("target-is-caller", "The target is the calling agent itself", next),
  );
  expect(notItself(caller, { ...caller, launchId: "l2" })).toEqual(
    refused("target-in-callers-pane", "The target's pane is the calling agent's own pane", next),
  );
  for (const other of [{ paneId: "%11" }, { socket: "/tmp/tmux-0/other" }, { multiplexer: "zellij" }]) {
    expect(notItself(caller, { ...caller, launchId: "l2", ...other })).toEqual(allowed);
  }
});

it("T-15 lets a caller act on what it spawned, and on others only with mcp_any_target", () => {
  expect(owns(config, "l1", "l1")).toEqual(allowed);
  expect(owns(open, "l1", undefined)).toEqual(allowed);
  for (const spawner of [undefined, "l2", ""]) {
    expect(owns(config, "l1", spawner)).toEqual(
      refused(
        "target-not-owned",
        "The target was not spawned by the calling agent",
        "Use an agent that agents_spawn returned to this agent, or ask the person to set mcp_any_target = true under [control]",
      ),
    );
  }
});

it("T-15 turns each refusal into exit code 5", async () => {
  const failure = await failureOf(Promise.resolve(owns(config, "l1", "l2")).then(requireAllowed));
  expect(failure).toMatchObject({ outcome: "refused", exitCode: 5, code: "target-not-owned" });
});

function reasonOf(decision: Decision): string {
  return decision.allow ? "" : decision.reason;
}
