import { isAbsolute, join } from "node:path";
import { Failure } from "@agent-control/base";

/** Most bytes of a socket path on Linux: `sun_path` holds 108 with its terminator (unix(7)). */
const longestSocketPath = 107;

/**
 * The socket path that tmux itself would use: "" is its default server, a name (as for `tmux -L`) is in the same
 * directory, an absolute path is itself. Throws a usage Failure for anything else and for a path too long.
 */
export function tmuxSocket(request: {
  readonly socket: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
}): string {
  const { socket, env, uid } = request;
  if (isAbsolute(socket)) return requireShortPath(socket);
  if (socket.includes("/") || socket === "." || socket === "..") {
    throw new Failure("usage", {
      code: "bad-socket",
      message: `The tmux socket ${JSON.stringify(socket)} is neither a name nor an absolute path`,
      next: "Give an absolute path, or a name as for `tmux -L`",
    });
  }
  return requireShortPath(join(env["TMUX_TMPDIR"] || "/tmp", `tmux-${uid}`, socket || "default"));
}

/** Returns the path, or throws a usage Failure with its length when the kernel could not take it. */
export function requireShortPath(path: string): string {
  const bytes = Buffer.byteLength(path);
  if (bytes <= longestSocketPath) return path;
  throw new Failure("usage", {
    code: "socket-path-too-long",
    message: `The tmux socket path is ${bytes} bytes long, and ${longestSocketPath} is the most: ${path}`,
    next: "Use a shorter socket path, or set TMUX_TMPDIR to a shorter directory",
    details: { bytes, limit: longestSocketPath },
  });
}
