import { join } from "node:path";
import { asFailure, Failure, type Files, type Locks, shownText } from "@agent-control/base";
import { isLaunchId, type Launch } from "./launch.ts";
import { parseLaunch, renderLaunch } from "./launch-file.ts";

/** The launch records of one state directory. */
export interface Launches {
  /** `<state>/launches`. */
  readonly directory: string;
  /** The record; undefined when there is none. Throws a Failure naming the file for one that cannot be used. */
  read(id: string): Launch | undefined;
  /** Writes a new record. */
  create(launch: Launch): void;
  /** Changes a record under its lock; the change sees the newest state. Returns what is stored now. */
  update(id: string, change: (launch: Launch) => Launch): Promise<Launch>;
  remove(id: string): void;
  /** Every readable record, newest first; unreadable ones are told to `unreadable`. */
  list(unreadable?: (id: string, why: string) => void): Launch[];
  /** The id that the text names: the id itself or a unique prefix of at least 4 characters; ambiguity lists them. */
  resolve(text: string): string;
}

const maxRecordBytes = 256 * 1024;

export function createLaunches(
  ports: { readonly files: Files; readonly locks: Locks },
  stateDirectory: string,
): Launches {
  const directory = join(stateDirectory, "launches");
  const path = (id: string) => join(directory, `${id}.json`);
  const read = (id: string): Launch | undefined => {
    if (!isLaunchId(id)) return undefined;
    const bytes = recordBytes(ports.files, path(id));
    if (bytes === undefined) return undefined;
    const launch = parseLaunch(bytes, id);
    if ("wrong" in launch) throw unreadableRecord(path(id), launch.wrong);
    return launch;
  };
  const ids = () =>
    ports.files.list(directory).flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -5)] : []));
  return {
    directory,
    read,
    create(launch) {
      ports.files.makeDirectory(directory);
      ports.files.write(path(launch.id), renderLaunch(launch));
    },
    update(id, change) {
      return ports.locks.hold(join(directory, `${id}.lock`), { waitMs: 5_000, what: `launch ${id}` }, () => {
        const launch = read(id);
        if (!launch) throw unknownLaunch(id);
        const changed = change(launch);
        if (changed !== launch) ports.files.write(path(id), renderLaunch(changed));
        return changed;
      });
    },
    remove(id) {
      ports.files.remove(path(id));
    },
    list(unreadable) {
      return ids()
        .filter(isLaunchId)
        .flatMap((id) => readOrReport(id, read, unreadable))
        .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
    },
    resolve(text) {
      return resolveId(text, ids());
    },
  };
}

/** What is not a small file of this user's is no record that can be used; "could not look" stays an error. */
function recordBytes(files: Files, path: string): Uint8Array | undefined {
  try {
    return files.read(path, maxRecordBytes);
  } catch (error) {
    const failure = asFailure(error);
    if (!failure || !unusable.has(failure.code)) throw error;
    throw unreadableRecord(path, failure.message, failure);
  }
}

const unusable = new Set(["file-kind", "file-link", "file-owner", "file-too-large"]);

function readOrReport(
  id: string,
  read: (id: string) => Launch | undefined,
  unreadable: ((id: string, why: string) => void) | undefined,
): Launch[] {
  try {
    const launch = read(id);
    return launch ? [launch] : [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    unreadable?.(id, error.message);
    return [];
  }
}

function resolveId(text: string, ids: readonly string[]): string {
  if (ids.includes(text)) return text;
  const matches = /^[a-z2-7]{4,26}$/.test(text) ? ids.filter((id) => id.startsWith(text)) : [];
  const [only, another] = matches;
  if (only !== undefined && another === undefined) return only;
  if (only === undefined) throw unknownLaunch(text);
  throw new Failure("usage", {
    code: "launch-ambiguous",
    message: `"${text}" is the start of several launch ids: ${matches.join(", ")}`,
    next: "Give more characters",
  });
}

/** The refusal for an id that names no record here. */
export function unknownLaunch(id: string): Failure {
  return new Failure("refused", {
    code: "launch-unknown",
    message: `There is no launch "${shownText(id.slice(0, 64))}"`,
    next: "Use a launch_id that agents_spawn returned, or see tongs-agents list",
  });
}

function unreadableRecord(path: string, wrong: string, cause?: unknown): Failure {
  return new Failure("refused", {
    code: "launch-unreadable",
    message: `The launch record ${path} cannot be used: ${wrong}`,
    next: "Start the agent again; tongs-agents doctor lists such records",
    cause,
  });
}
