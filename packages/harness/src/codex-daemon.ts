/**
 * Whether a process is Codex' managed daemon, by its argv. Measured on 0.171.0: without `--no-daemon` the first Codex
 * starts it as its own child. From then on it runs the threads of every Codex with that home, their MCP servers, hooks
 * and shell commands included, all with the environment of that first one, which it outlives.
 */
export function isCodexDaemon(argv: readonly string[]): boolean {
  return argv.includes("app-server") && argv.includes("--managed-daemon");
}

/** Whether a command that runs Codex leaves it its managed daemon: by neither flag nor verb it does without. */
export function allowsCodexDaemon(command: readonly string[]): boolean {
  return !command.some((word) => without.has(word));
}

const without: ReadonlySet<string> = new Set(["--no-daemon", "daemon_auto_start", "exec"]);
