import { spawn } from "node:child_process";

/** A person's terminal: a pseudo-terminal of 100 columns that runs one command. */
export interface PersonTerminal {
  /** Everything that was written to it. */
  output(): string;
  type(text: string): void;
  readonly exitCode: Promise<number | null>;
}

/** Runs a program on a terminal of its own. */
export function onTerminal(argv: readonly string[], env: Record<string, string>): PersonTerminal {
  const line = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn("script", ["-qec", `stty rows 30 cols 100; exec ${line}`, "/dev/null"], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stdin.on("error", () => {}); // It may end before it reads.
  return {
    output: () => output,
    type: (text) => void child.stdin.write(text),
    exitCode: new Promise((resolve) => child.on("close", resolve)),
  };
}
