import { isAbsolute } from "node:path";
import { fileFailure } from "@agent-control/base";
import type { Finding } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import type { Check } from "./check.ts";

/** The directories for records and for what ends with the session: this user's alone. */
export const directoriesCheck: Check = {
  name: "directories",
  look: (ports) => [
    directoryRow(ports, "state directory", ports.places.stateDirectory),
    directoryRow(ports, "run-time directory", ports.places.runtimeDirectory),
    ...fallbackRow(ports),
  ],
};

function directoryRow({ machine, facts }: CommandPorts, check: string, path: string): Finding {
  const seen = machine.files.look(path);
  if (!seen) return { check, level: "ok", message: `${path} will be made at first use` };
  const found = seen.kind === "symlink" ? "file-link" : seen.kind === "directory" ? undefined : "file-kind";
  const wrong = found ?? (seen.uid === facts.uid ? undefined : "file-owner");
  if (wrong) {
    const { message, next } = fileFailure(wrong, path);
    return { check, level: "fail", message, next };
  }
  if ((seen.mode & 0o077) !== 0) {
    const message = `Other users may look into ${path} (mode ${seen.mode.toString(8)})`;
    return { check, level: "warn", message, next: `Run chmod 700 ${path}` };
  }
  return { check, level: "ok", message: `${path} is yours alone` };
}

function fallbackRow({ facts, places }: CommandPorts): Finding[] {
  const directory = facts.env["XDG_RUNTIME_DIR"];
  if (directory !== undefined && isAbsolute(directory)) return [];
  const message = `XDG_RUNTIME_DIR is not set, so ${places.runtimeDirectory} is used, which outlives a reboot`;
  return [{ check: "run-time directory", level: "note", message }];
}
