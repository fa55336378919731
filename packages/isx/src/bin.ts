#!/usr/bin/env node
import { homedir } from "node:os";

// The hot verb is its own small chunk; everything else goes through the command line kit.
const [verb, ...rest] = process.argv.slice(2);

switch (verb) {
  case "mcp":
    if (rest.length === 0) {
      await serve();
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

async function serve(): Promise<void> {
  const [{ serveMcp }, { placesOf }] = await Promise.all([
    import("./commands/mcp.ts"),
    import("./places.ts"),
  ]);
  const facts = processFacts();
  await serveMcp(facts, placesOf(facts.env, facts.home));
}

async function runCommandLine(): Promise<void> {
  const { runIsx } = await import("./command-line.ts");
  process.exitCode = await runIsx(processFacts());
}

function processFacts() {
  return {
    env: process.env,
    home: process.env["HOME"] || homeDirectory(),
    uid: process.getuid?.() ?? -1,
    directory: currentDirectory(),
    program: [process.execPath, process.argv[1] ?? ""],
  };
}

function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** A user whom the system does not know has none. */
function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}
