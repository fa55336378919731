import type { Incus } from "@agent-control/incus";

export interface TerminalRun {
  /** Passed whole to `bash -lc`. */
  readonly command: string;
  readonly workdir: string | undefined;
  readonly signal: AbortSignal;
}

const home = "/home/agentuser";

/** Runs a command line as agentuser on this process's terminal; resolves to its exit code when it ended. */
export async function runOnTerminal(
  incus: Pick<Incus, "openTerminal">,
  instance: string,
  { command, workdir = home, signal }: TerminalRun,
): Promise<number> {
  const { stdin, stdout } = process;
  const terminal = await incus.openTerminal(instance, {
    command: ["su", "-l", "agentuser", "-s", "/bin/bash", "-w", "TERM,ISX_COMMAND,ISX_WORKDIR", "-c", entry],
    environment: {
      TERM: process.env["TERM"] ?? "xterm-256color",
      ISX_COMMAND: command,
      ISX_WORKDIR: workdir,
    },
    columns: stdout.columns || 80,
    rows: stdout.rows || 24,
    onOutput: (chunk) => void stdout.write(chunk),
    signal,
  });
  const onInput = (chunk: Buffer) => terminal.write(chunk);
  const onResize = () => terminal.resize(stdout.columns || 80, stdout.rows || 24);
  const raw = stdin.isTTY === true;
  if (raw) stdin.setRawMode(true);
  stdin.on("data", onInput);
  stdout.on("resize", onResize);
  try {
    return (await terminal.ended).exitCode;
  } finally {
    stdin.off("data", onInput);
    stdout.off("resize", onResize);
    if (raw) stdin.setRawMode(false);
    stdin.pause();
  }
}

// The words come through the environment: su hands its command to a shell.
const entry =
  'cd "$ISX_WORKDIR" 2>/dev/null || cd; c=$ISX_COMMAND; unset ISX_COMMAND ISX_WORKDIR; exec bash -lc "$c"';
