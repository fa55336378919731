import { dirname } from "node:path";
import { allowed, type Decision, type FileSeen, type Files, refuse } from "@agent-control/base";

/**
 * Whether a server behind this socket can be trusted to be this user's: the real path is a socket owned by
 * `uid`, in a directory that nobody else can write, or a sticky one. Writes nothing and connects to nothing.
 */
export function isSafeSocket(files: Files, path: string, uid: number): Decision {
  const real = files.realPath(path);
  const seen = real === undefined ? undefined : files.look(real);
  if (real === undefined || seen === undefined) {
    return unsafe("socket-missing", `Nothing is at the socket path ${path}`);
  }
  if (seen.kind !== "socket") return unsafe("not-a-socket", `${path} is a ${seen.kind}, not a socket`);
  if (seen.uid !== uid) {
    return unsafe("foreign-socket", `The socket ${path} belongs to user ${seen.uid}, not to user ${uid}`);
  }
  return isSafeSocketDirectory(files, dirname(real), uid);
}

/** Whether only this user (and root) can replace a socket in this directory. */
export function isSafeSocketDirectory(files: Files, directory: string, uid: number): Decision {
  const seen = files.look(directory);
  if (seen?.kind !== "directory") {
    return unsafe("socket-missing", `The socket directory ${directory} is not a directory`);
  }
  return othersCanReplace(seen, uid)
    ? unsafe("open-socket-directory", `Other users can replace sockets in ${directory}`)
    : allowed;
}

function othersCanReplace(directory: FileSeen, uid: number): boolean {
  const foreignOwner = directory.uid !== uid && directory.uid !== 0;
  const writable = (directory.mode & 0o022) !== 0;
  const sticky = (directory.mode & 0o1000) !== 0;
  return foreignOwner || (writable && !sticky);
}

function unsafe(code: string, reason: string): Decision {
  return refuse(
    code,
    reason,
    "Use the socket of a server that you started, in a directory only you can write",
  );
}
