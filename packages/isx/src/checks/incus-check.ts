import { Failure } from "@agent-control/base";
import { incusGroup } from "../setup/own-server.ts";
import type { Check } from "./check.ts";

const check = "Incus";

/** Incus answers, and to this user; what that means for the host. */
export const incusCheck: Check = {
  name: check,
  look: async ({ instances }) => {
    const { incus, project } = await instances();
    const server = await incus.server(AbortSignal.timeout(limitMs));
    if (!server.trusted) throw closed();
    const message = `Incus ${server.version} answers, project ${project}, storage ${server.storageDrivers.join(", ")}`;
    return [{ check, level: "ok", message }];
  },
};

/** Who reaches Incus reaches everything. */
export const rootCheck: Check = {
  name: "host access",
  look: () => [
    {
      check: "host access",
      level: "note",
      message: `Whoever is in the group ${incusGroup} may do on this host what root may, through Incus`,
      next: `To keep Claude Code to the MCP tools, put this in its settings: ${JSON.stringify(onlyTools)}`,
    },
  ],
};

const limitMs = 10_000;

const onlyTools = {
  permissions: {
    allow: ["mcp__isx__*"],
    deny: ["Bash(isx:*)", "Edit(~/.config/incus-spawn/**)", "Write(~/.config/incus-spawn/**)"],
  },
};

function closed(): Failure {
  return new Failure("unavailable", {
    code: "incus-closed",
    message: "Incus answers, but not to this user",
    next: `Join the group ${incusGroup} and start again from a new login`,
  });
}
