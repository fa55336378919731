import type { TaskListed, TaskSeen, TaskState } from "./guest.ts";

/** What lookScript saw. */
export interface GuestLook {
  /** Guest clock, ms. */
  readonly now: number;
  readonly tasks: ReadonlyMap<string, TaskListed>;
  /** A person has a terminal; false unless asked for. */
  readonly attended: boolean;
}

/** Reads lookScript's answer; undefined when it is none. Whatever a task did to its record stays its own trouble. */
export function parseLook(output: Buffer): GuestLook | undefined {
  const records = output.toString("utf8").split("\0");
  const now = Number(first(records, "now ") ?? Number.NaN) * 1000;
  if (!Number.isFinite(now)) return undefined;
  const ids = words(first(records, "ids "));
  const units = words(first(records, "units "));
  const files = parseFiles(records);
  const tasks = ids.map((id, index): [string, TaskListed] => {
    const own = files.get(id) ?? new Map<string, FileLook>();
    const unit = units.length === ids.length ? units[index] : undefined;
    const kind = own.get("kind")?.target === "agent" ? "agent" : "command";
    return [id, { id, kind, seen: taskSeen(unit, own) }];
  });
  return { now: Math.round(now), tasks: new Map(tasks), attended: records.includes("attended") };
}

/** What is known of a task that nobody could look at. */
export const unknownTask: TaskSeen = {
  state: "unknown",
  exitCode: undefined,
  startedAt: undefined,
  lastActivityAt: undefined,
  stdoutBytes: 0,
  stderrBytes: 0,
};

interface FileLook {
  readonly type: string;
  readonly size: number;
  /** Milliseconds. */
  readonly modifiedAt: number;
  /** Of a symbolic link. */
  readonly target: string;
}

function first(records: readonly string[], start: string): string | undefined {
  return records.find((record) => record.startsWith(start))?.slice(start.length);
}

function words(text = ""): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}

const filePattern = /^file \.\/([a-z0-9-]+) (kind|exit|stdout|stderr) (.) (\d+) (\d+(?:\.\d+)?) (.*)$/su;

function parseFiles(records: readonly string[]): ReadonlyMap<string, Map<string, FileLook>> {
  const files = new Map<string, Map<string, FileLook>>();
  for (const record of records) {
    const [, id, name, type, size, modified, target] = filePattern.exec(record) ?? [];
    if (id === undefined || name === undefined || type === undefined || target === undefined) continue;
    const own = files.get(id) ?? new Map<string, FileLook>();
    own.set(name, { type, size: Number(size), modifiedAt: Math.round(Number(modified) * 1000), target });
    files.set(id, own);
  }
  return files;
}

function taskSeen(unit: string | undefined, files: ReadonlyMap<string, FileLook>): TaskSeen {
  const exitCode = recordedExit(files.get("exit"));
  const state = taskState(unit, exitCode);
  const stdout = regular(files.get("stdout"));
  const stderr = regular(files.get("stderr"));
  const activity = [stdout, stderr].flatMap((file) => (file ? [file.modifiedAt] : []));
  return {
    state,
    exitCode: state === "finished" ? exitCode : undefined,
    startedAt: files.get("kind")?.modifiedAt,
    lastActivityAt: activity.length === 0 ? undefined : Math.max(...activity),
    stdoutBytes: stdout?.size ?? 0,
    stderrBytes: stderr?.size ?? 0,
  };
}

// A record beside an active unit was written by the task itself and says nothing.
function taskState(unit: string | undefined, exitCode: number | undefined): TaskState {
  if (unit === "active" || unit === "activating" || unit === "reloading") return "running";
  if (unit === undefined) return "unknown";
  if (exitCode !== undefined) return "finished";
  return unit === "deactivating" ? "running" : "lost";
}

function recordedExit(file: FileLook | undefined): number | undefined {
  if (file?.type !== "l" || !/^\d{1,3}$/.test(file.target)) return undefined;
  const code = Number(file.target);
  return code <= 255 ? code : undefined;
}

function regular(file: FileLook | undefined): FileLook | undefined {
  return file?.type === "f" ? file : undefined;
}
