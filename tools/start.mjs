// `npm start`: installs, builds, then shows the main job for real: in a private tmux a lead agent starts, prompts,
// watches and waits for a worker through the tongs-agents MCP server; then an agent gets a throw-away system from isx,
// where an Incus can be had. Leaves nothing running.
import { fileURLToPath } from "node:url";
import { showIsx } from "./demo-isx.mjs";
import { showTongsAgents } from "./demo-tongs-agents.mjs";
import { ensurePrograms, pnpm } from "./machine.mjs";
import { run } from "./steps.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
await orEnd("Installing", ...pnpm("install", "--frozen-lockfile", "--reporter=append-only"));
await orEnd("Building", ...pnpm("run", "--silent", "build"));
const missing = ensurePrograms({ tmux: "tmux" });
if (missing.length > 0)
  console.log(
    "Without tmux the read-only tools of tongs-agents still work; try: node packages/tongs-agents/dist/bin.js --help",
  );
else await showTongsAgents();
await showIsx();

async function orEnd(title, file, args) {
  console.log(`== ${title}`);
  const code = await run(file, args);
  if (code !== 0) process.exit(code);
}
