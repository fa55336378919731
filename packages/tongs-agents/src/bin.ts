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
      await serve(processFacts());
      process.exit();
    }
    await runCommandLine();
    break;
  case "--version":
    process.stdout.write(`${(await import("./version.ts")).version}\n`);
    break;
  default:
    await runCommandLine();
}

async function serve(facts: ReturnType<typeof processFacts>): Promise<void> {
  const [{ serveMcp }, { placesOf }, { asFailure, renderFailure }] = await Promise.all([
    import("./commands/mcp.ts"),
    import("./places.ts"),
    import("@agent-control/base"),
  ]);
  try {
    await serveMcp(facts, placesOf(facts.env, facts.home));
  } catch (error) {
    const failure = asFailure(error);
    if (!failure) throw error;
    process.stderr.write(`tongs-agents: ${renderFailure(failure)}\n`);
    process.exitCode = failure.exitCode;
  }
}

async function runCommandLine(): Promise<void> {
  const { runTongsAgents } = await import("./command-line.ts");
  process.exitCode = await runTongsAgents(processFacts());
}

function processFacts() {
  return {
    env: process.env,
    home: process.env["HOME"] || homeDirectory(),
    uid: process.getuid?.() ?? -1,
    program: [process.execPath, process.argv[1] ?? ""],
  };
}

/** A user whom the system does not know has none. */
function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}
