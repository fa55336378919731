import { execFile } from "node:child_process";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export function runProgram(
  argv: readonly string[],
  options: { readonly env: Record<string, string>; readonly input: string; readonly cwd?: string },
): Promise<Ran> {
  const [file = "", ...args] = argv;
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      { env: options.env, ...(options.cwd ? { cwd: options.cwd } : {}), maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr });
      },
    );
    child.stdin?.on("error", () => {}); // It may end before it reads.
    child.stdin?.end(options.input);
  });
}
