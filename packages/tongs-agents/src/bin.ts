#!/usr/bin/env node
import { homedir } from "node:os";

// The hot verbs are their own small chunks; everything else goes through the command line kit.
const [verb, ...rest] = process.argv.slice(2);

switch (verb) {
  case "hook":
    await (await import("./commands/hook.ts")).runHook(rest, processFacts());
    break;
  case "pane":
    await (await import("./commands/pane.ts")).runPane(rest, processFacts());
    break;
  case "mcp":
    if (rest.length === 0) {
      const [{ serveMcp }, { placesOf }] = await Promise.all([
        import("./commands/mcp.ts"),
        import("./places.ts"),
      ]);
      const facts = processFacts();
      await serveMcp(facts, placesOf(facts.env, facts.home));
      process.exit(0);
    }
    await runCommandLine();
    break;
  case "--version":
    process.stdout.write(`${(await import("./version.ts")).version}\n`);
    break;
  default:
    await runCommandLine();
}

async function runCommandLine(): Promise<void> {
  const { runTongsAgents } = await import("./command-line.ts");
  process.exitCode = await runTongsAgents(processFacts());
}

function processFacts() {
  return {
    env: process.env,
    home: process.env["HOME"] || homedir(),
    uid: process.getuid?.() ?? -1,
    program: [process.execPath, process.argv[1] ?? ""],
  };
}
