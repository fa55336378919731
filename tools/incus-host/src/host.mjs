// Where everything of one host lies, and what it is called. All of it derives from the directory.
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { problem } from "./problem.mjs";

const longestSocketPath = 107;

/** Paths and names of the host in a directory; refuses one whose socket path the kernel could not take. */
export function hostIn(directory) {
  const dir = resolve(directory);
  const incusDir = join(dir, "incus");
  const socket = join(incusDir, "unix.socket");
  if (Buffer.byteLength(socket) > longestSocketPath) {
    throw problem(
      `The socket path ${socket} has ${Buffer.byteLength(socket)} bytes; ${longestSocketPath} are possible`,
      "choose a shorter directory with --dir or INCUS_HOST_DIR",
    );
  }
  return {
    dir,
    incusDir,
    socket,
    /** Its presence says that `up` made what is here, and that `down` may remove it. */
    marker: join(dir, "made-by-incus-host"),
    log: join(dir, "incusd.log"),
    bridge: `isx${createHash("sha256").update(dir).digest("hex").slice(0, 10)}`,
    environment: {
      PATH: process.env.PATH,
      HOME: "/root",
      INCUS_DIR: incusDir,
      INCUS_CONF: join(dir, "cli"),
    },
  };
}
