import { Failure } from "@agent-control/base";
import { agentUser } from "./guest-user.ts";

/** A command line with where and in what environment it runs. */
export interface GuestCommand {
  readonly command: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The bytes that tell the guest's command-script what to run: NUL after each of the directory, `NAME=value` pairs,
 * nothing, the command. Refuses what could not arrive unchanged.
 */
export function encodeCommand({ command, cwd = "", env = {} }: GuestCommand): Buffer {
  requireText(command, "The command", commandLimit);
  if (command.trim() === "") throw unusable("The command is empty", "Give the command line to run");
  requireText(cwd, "The working directory", pathLimit);
  const pairs = Object.entries(env).map(([name, value]) => environmentPair(name, value));
  const bytes = Buffer.from([absolute(cwd), ...pairs, "", command, ""].join("\0"));
  if (bytes.length <= totalLimit) return bytes;
  throw unusable("Command and environment together exceed 2 MiB", "Put the data into a file in the instance");
}

/** The Failure of a working directory that the instance does not have. */
export function missingDirectory(instance: string, cwd: string | undefined): Failure {
  return unusable(
    `The directory ${JSON.stringify(cwd ?? agentUser.home)} does not exist in ${instance} or may not be entered by ${agentUser.name}`,
    "Name a directory that exists, or create it first with a command that has no cwd",
  );
}

const commandLimit = 1024 * 1024;
const pathLimit = 4095;
const totalLimit = 2 * 1024 * 1024;
// Linux starts no program whose environment holds a longer string (MAX_ARG_STRLEN).
const pairLimit = 128 * 1024 - 1;
const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const fixedNames = new Set(["BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID"]);

function environmentPair(name: string, value: string): string {
  const shown = JSON.stringify(name.slice(0, 80));
  if (!namePattern.test(name)) {
    throw unusable(
      `${shown} is not the name of an environment variable`,
      "Use letters, digits and _, no digit first",
    );
  }
  if (fixedNames.has(name) || /^isx_/i.test(name)) {
    throw unusable(
      `The environment variable ${name} cannot be set here`,
      "Leave it out or choose another name",
    );
  }
  const pair = `${name}=${value}`;
  requireText(pair, `The environment variable ${name}`, pairLimit);
  return pair;
}

function requireText(text: string, what: string, limit: number): void {
  if (text.includes("\0")) {
    throw unusable(
      `${what} holds a NUL character`,
      "Remove it; write binary data into a file or pass it as base64",
    );
  }
  if (Buffer.byteLength(text) > limit) {
    throw unusable(
      `${what} is longer than ${limit} bytes`,
      "Write it into a file in the instance and use that",
    );
  }
}

// Relative to the home directory, and never read as an option or as `cd -`.
function absolute(cwd: string): string {
  return cwd.startsWith("/") ? cwd : `${agentUser.home}/${cwd}`;
}

function unusable(message: string, next: string): Failure {
  return new Failure("refused", { code: "command-unusable", message, next });
}
