import { join } from "node:path";
import { asFailure, Failure, type LockOptions, shownText } from "@agent-control/base";
import type { HostTool } from "@agent-control/policy";
import type { HostToolPorts } from "./host-tool-runner.ts";
import { createLastEnds } from "./last-ends.ts";

/** Who may run a host tool now, among all sessions of this user. */
export interface Turns {
  /**
   * Runs `body` alone for this tool. Refuses (`rate-limited`, `details.retry_after_s`) before `minInterval` seconds
   * since the end of the last run, and while one runs; with interval 0 up to eight calls wait until it is their turn.
   */
  take<T>(tool: HostTool, signal: AbortSignal, body: () => Promise<T>): Promise<T>;
}

export function createTurns(ports: Omit<HostToolPorts, "processes" | "home">): Turns {
  const { locks, directory } = ports;
  const lastEnds = createLastEnds(ports);
  const lockOf = (name: string) => join(directory, `${name}.lock`);

  async function alone<T>(tool: HostTool, signal: AbortSignal, body: () => Promise<T>): Promise<T> {
    const lock = { waitMs: 0, what: `host tool ${tool.name}`, signal };
    return holdOr(running(tool.name), lockOf(tool.name), lock, async () => {
      requireInterval(tool, lastEnds.secondsSince(tool.name));
      try {
        return await body();
      } finally {
        lastEnds.record(tool.name);
      }
    });
  }

  async function inLine<T>(tool: HostTool, signal: AbortSignal, body: () => Promise<T>): Promise<T> {
    const lock = { waitMs: Number.MAX_SAFE_INTEGER, what: `host tool ${tool.name}`, signal };
    return withPlace(tool, signal, () => locks.hold(lockOf(tool.name), lock, body));
  }

  async function withPlace<T>({ name }: HostTool, signal: AbortSignal, body: () => Promise<T>): Promise<T> {
    for (let place = 0; place < placesInLine; place += 1) {
      const lock = { waitMs: 0, what: `host tool ${name}`, signal };
      const taken = await holdOr(undefined, join(directory, `${name}.place-${place}`), lock, async () => ({
        value: await body(),
      }));
      if (taken !== undefined) return taken.value;
    }
    throw lineFull(name);
  }

  /** Without a failure to throw it answers undefined when another one holds the lock. */
  async function holdOr<T, Otherwise extends Failure | undefined>(
    otherwise: Otherwise,
    path: string,
    lock: LockOptions,
    body: () => Promise<T>,
  ): Promise<T | (Otherwise extends Failure ? never : undefined)> {
    let entered = false;
    try {
      return await locks.hold(path, lock, () => {
        entered = true;
        return body();
      });
    } catch (error) {
      if (entered || asFailure(error)?.code !== "busy") throw error;
      if (otherwise !== undefined) throw otherwise;
      return undefined as never;
    }
  }

  return {
    take: (tool, signal, body) => (tool.minInterval === 0 ? inLine : alone)(tool, signal, body),
  };
}

// The one that runs and the eight behind it.
const placesInLine = 9;

function requireInterval({ name, minInterval }: HostTool, since: number | undefined): void {
  if (since === undefined || since >= minInterval) return;
  const seconds = Math.max(1, Math.ceil(minInterval - since));
  throw new Failure("rate-limited", {
    code: "host-tool-interval",
    message: `${shownText(name)} may run again ${minInterval} seconds after its last run`,
    next: `Call again in ${seconds} ${seconds === 1 ? "second" : "seconds"}`,
    details: { retry_after_s: seconds },
  });
}

function running(name: string): Failure {
  return new Failure("rate-limited", {
    code: "host-tool-running",
    message: `${shownText(name)} is running already`,
    next: "Call again when it has ended",
  });
}

function lineFull(name: string): Failure {
  return new Failure("rate-limited", {
    code: "host-tool-line-full",
    message: `${shownText(name)} is running and eight calls wait for it`,
    next: "Call again later",
  });
}
