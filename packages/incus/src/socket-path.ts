import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the daemon listens: INCUS_SOCKET, else `unix.socket` below INCUS_DIR, else the package's own place. */
export function socketPathOf(env: Environment): string {
  return env["INCUS_SOCKET"] || join(env["INCUS_DIR"] || "/var/lib/incus", "unix.socket");
}

/** The Incus project to work in: INCUS_PROJECT, else "default". */
export function projectOf(env: Environment): string {
  return env["INCUS_PROJECT"] || "default";
}
