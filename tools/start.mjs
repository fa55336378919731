// `npm start`: installs, builds, then shows the main job for real: in a private tmux a lead agent starts, prompts,
// watches and waits for a worker through the tongs-agents MCP server. Leaves nothing running.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { showTongsAgents } from "./demo-tongs-agents.mjs";
import { ensurePrograms, pnpm } from "./machine.mjs";
import { run } from "./steps.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
await orEnd("Installing", ...pnpm("install", "--frozen-lockfile", "--reporter=append-only"));
await orEnd("Building", ...pnpm("run", "--silent", "build"));
const missing = ensurePrograms({ tmux: "tmux" });
if (missing.length > 0) {
  console.log(
    "Without tmux the read-only tools still work; try: node packages/tongs-agents/dist/bin.js --help",
  );
  process.exit(0);
}
if (!existsSync("packages/tongs-agents/dist/bin.js"))
  throw new Error("The build left no packages/tongs-agents/dist/bin.js");
await showTongsAgents();

async function orEnd(title, file, args) {
  console.log(`== ${title}`);
  const code = await run(file, args);
  if (code !== 0) process.exit(code);
}
