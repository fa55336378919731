import { Failure, plainText } from "@agent-control/base";
import type { Incus } from "@agent-control/incus";
import { agentHome } from "./guest-paths.ts";

/** Runs what a build does inside the instance that is built. Every method throws `build-step-failed` with the end of the output. */
export interface BuildShell {
  /** A program with its arguments; resolves to the end of its standard output. */
  run(argv: readonly string[], options?: ShellOptions): Promise<string>;
  /** A text of shell commands, run from a file so that it may be long and does not show in the process list. */
  script(text: string, options?: ShellOptions): Promise<void>;
  /** The same with any exit code. */
  try(argv: readonly string[], options?: ShellOptions): Promise<ShellEnded>;
}

export interface ShellOptions {
  /** Default root. */
  readonly as?: "root" | "agentuser";
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export interface ShellEnded {
  readonly exitCode: number;
  readonly stdout: string;
  /** The end of both streams, as they came. */
  readonly output: string;
}

export interface BuildShellParts {
  readonly incus: Pick<Incus, "exec" | "files">;
  readonly instance: string;
  readonly signal: AbortSignal | undefined;
}

const keptCharacters = 4096;
const scriptPath = "/run/isx-build-script";

/** A shell into a running instance. */
export function createBuildShell({ incus, instance, signal }: BuildShellParts): BuildShell {
  const withSignal = signal === undefined ? {} : { signal };

  async function attempt(argv: readonly string[], options: ShellOptions = {}): Promise<ShellEnded> {
    const stdout = tail();
    const output = tail();
    const { exitCode } = await incus.exec(instance, {
      command: argv,
      ...userOf(options),
      ...(options.stdin === undefined ? {} : { stdin: Buffer.from(options.stdin) }),
      onStdout: (chunk) => {
        stdout.add(chunk);
        output.add(chunk);
      },
      onStderr: output.add,
      ...withSignal,
    });
    return { exitCode, stdout: stdout.text(), output: output.text() };
  }

  async function run(argv: readonly string[], options?: ShellOptions): Promise<string> {
    const ended = await attempt(argv, options);
    if (ended.exitCode !== 0) throw stepFailed(ended);
    return ended.stdout;
  }

  return {
    try: attempt,
    run,
    async script(text, options = {}) {
      await incus.files.write(instance, scriptPath, text, { mode: 0o644, uid: 0, gid: 0, ...withSignal });
      const login = options.as === "agentuser" ? ["-l"] : [];
      await run(["/bin/bash", ...login, scriptPath], options);
    },
  };
}

function userOf({ as, cwd, environment }: ShellOptions) {
  if (as !== "agentuser") return { environment: { LANG: "C.UTF-8", ...environment }, cwd: cwd ?? "/" };
  const home = { HOME: agentHome, USER: "agentuser", LOGNAME: "agentuser", SHELL: "/bin/bash" };
  return {
    uid: 1000,
    gid: 1000,
    environment: { LANG: "C.UTF-8", ...home, ...environment },
    cwd: cwd ?? agentHome,
  };
}

function tail(): { add(chunk: Uint8Array): void; text(): string } {
  let kept = "";
  const decoder = new TextDecoder();
  return {
    add(chunk) {
      kept = (kept + decoder.decode(chunk, { stream: true })).slice(-2 * keptCharacters);
    },
    text: () => plainText(kept).slice(-keptCharacters),
  };
}

function stepFailed({ exitCode, output }: ShellEnded): Failure {
  return new Failure("error", {
    code: "build-step-failed",
    message: `It ended with exit code ${exitCode}`,
    next: "Read the end of its output, correct the template and build again",
    details: { exit_code: exitCode, output },
  });
}
