import { shownText } from "@agent-control/base";
import type { ExecRequest, Keys } from "./incus.ts";
import { badRequest } from "./incus-failure.ts";

// MAX_ARG_STRLEN of Linux, its final NUL included. Incus reports success for a longer one and runs nothing.
const longestString = 131_072;

export type RunRequest = Pick<ExecRequest, "command" | "environment" | "uid" | "gid" | "cwd">;

/** Refuses what Incus or the kernel would drop without a word: NUL, a string of 128 KiB, an empty command. */
export function requireRunnable(request: RunRequest): void {
  const [program] = request.command;
  if (program === undefined || program === "") {
    throw badRequest("command-empty", "The command is empty", "Name the program to run");
  }
  for (const [index, argument] of request.command.entries()) requireString(argument, `Argument ${index}`);
  for (const [name, value] of Object.entries(request.environment ?? {})) requireVariable(name, value);
  if (request.cwd !== undefined) requireDirectoryPath(request.cwd);
}

/** The body of an exec call. */
export function execBody(
  request: RunRequest,
  terminal?: { readonly columns: number; readonly rows: number },
) {
  return {
    command: request.command,
    environment: request.environment ?? ({} satisfies Keys),
    user: request.uid ?? 0,
    group: request.gid ?? 0,
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    "wait-for-websocket": true,
    interactive: terminal !== undefined,
    ...(terminal ? { width: terminal.columns, height: terminal.rows } : {}),
  };
}

function requireVariable(name: string, value: string): void {
  if (name === "" || name.includes("=")) {
    throw badRequest(
      "environment-name",
      `"${shownText(name)}" cannot be the name of an environment variable`,
      "Use a name without =",
    );
  }
  requireString(`${name}=${value}`, `The environment variable ${shownText(name.slice(0, 100))}`);
}

function requireString(value: string, what: string): void {
  if (value.includes("\0")) {
    throw badRequest(
      "argument-nul",
      `${what} holds a NUL character`,
      "Pass such bytes on stdin or in a file",
    );
  }
  const length = Buffer.byteLength(value) + 1;
  if (length > longestString) {
    throw badRequest(
      "argument-too-long",
      `${what} is ${length} bytes long with its end, more than the ${longestString} that Linux takes`,
      "Pass it on stdin or in a file",
    );
  }
}

function requireDirectoryPath(cwd: string): void {
  if (!cwd.startsWith("/") || cwd.includes("\0")) {
    throw badRequest("cwd-path", `"${shownText(cwd)}" is not an absolute path`, "Name an absolute directory");
  }
}
