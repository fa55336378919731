import type { RecipeDefinition } from "@agent-control/policy";
import { agentHome } from "./guest-paths.ts";

const install = "npm install --global --no-audit --no-fund --no-update-notifier";

/** The recipes that come with isx; versions of what does not come from the distribution are pinned. */
export const builtInRecipes: readonly RecipeDefinition[] = [
  {
    name: "node",
    description: "Node.js and npm of the distribution",
    packages: ["nodejs", "npm"],
    verify: "node --version && npm --version",
  },
  {
    name: "gh",
    description: "GitHub's command line",
    packages: ["gh"],
    verify: "gh --version",
    domains: ["github.com", "api.github.com"],
  },
  {
    name: "podman",
    description: "Containers without a daemon",
    packages: ["podman", "uidmap", "slirp4netns", "fuse-overlayfs"],
    verify: "podman --version",
  },
  {
    name: "claude",
    description: "Claude Code",
    requires: ["node"],
    run: [`${install} @anthropic-ai/claude-code@2.1.332`],
    // Without them its first start asks for a theme, and whether it may trust the directory.
    files: [
      {
        path: "~/.claude.json",
        content: JSON.stringify({
          hasCompletedOnboarding: true,
          theme: "dark",
          projects: { [agentHome]: { hasTrustDialogAccepted: true } },
        }),
        mode: 0o600,
      },
    ],
    env: { DISABLE_AUTOUPDATER: "1" },
    verify: "claude --version",
    domains: ["api.anthropic.com"],
    agent: { name: "claude", delegate: true },
  },
  {
    name: "codex",
    description: "OpenAI's Codex",
    requires: ["node"],
    run: [`${install} @openai/codex@0.171.0`],
    verify: "codex --version",
    domains: ["api.openai.com"],
    agent: { name: "codex", delegate: true },
  },
  {
    name: "opencode",
    description: "opencode",
    requires: ["node"],
    run: [`${install} opencode-ai@1.18.33`],
    verify: "opencode --version",
    domains: ["api.anthropic.com", "api.openai.com"],
    agent: { name: "opencode", delegate: true },
  },
];
