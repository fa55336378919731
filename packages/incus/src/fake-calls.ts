import { orCancelled, throwIfCancelled } from "@agent-control/base";
import { unreachable } from "./incus-failure.ts";

export interface FakeCall {
  /** As on the port: "instances.create", "files.read", "exec". */
  readonly name: string;
  /** What it is about: mostly a name; "" when it is about nothing in particular. */
  readonly subject: string;
  /**
   * before: nothing has happened yet; during (of `instances.create` only): the instance is there, half made and busy;
   * after: it is done, and the caller does not know yet.
   */
  readonly phase: "before" | "during" | "after";
}

/** What it throws the call throws; while its promise is pending the call takes time. */
export type Interceptor = (call: FakeCall) => void | Promise<void>;

/** How a daemon cannot be reached. */
export type Away = "EACCES" | "ENOENT" | "ECONNREFUSED" | "ECONNRESET";

export interface FakeCalls {
  /** Every call so far, oldest first, e.g. "instances.create web-1". */
  readonly calls: readonly string[];
  /** Is asked at each phase of each call from now on; the returned function ends it. */
  intercept(interceptor: Interceptor): () => void;
  /** From now on every call finds the daemon away; undefined ends it. */
  setAway(away: Away | undefined): void;
}

export interface Calls extends FakeCalls {
  /** Runs a call: `body` is its effect, in one piece. */
  run<T>(name: string, subject: string, act: Act<T>): Promise<T>;
  /** Tells the interceptors of a phase. */
  tell(call: FakeCall): Promise<void>;
}

export interface Act<T> {
  readonly body: () => T | Promise<T>;
  readonly signal: AbortSignal | undefined;
}

export function createCalls(): Calls {
  const calls: string[] = [];
  const interceptors = new Set<Interceptor>();
  let away: Away | undefined;

  async function tell(call: FakeCall): Promise<void> {
    for (const interceptor of [...interceptors]) await interceptor(call);
  }

  function requirePresent(): void {
    if (away !== undefined)
      throw unreachable("/fake/unix.socket", Object.assign(new Error(away), { code: away }));
  }

  return {
    calls,
    tell,
    intercept(interceptor) {
      interceptors.add(interceptor);
      return () => interceptors.delete(interceptor);
    },
    setAway(next) {
      away = next;
    },
    async run(name, subject, { body, signal }) {
      throwIfCancelled(signal);
      calls.push(`${name} ${subject}`.trim());
      await whileWanted(signal, tell({ name, subject, phase: "before" }));
      requirePresent();
      // What has begun goes on at the daemon, wanted or not.
      const acted = Promise.resolve(body()).then(async (result) => {
        await tell({ name, subject, phase: "after" });
        return result;
      });
      return whileWanted(signal, acted);
    },
  };
}

function whileWanted<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  return signal === undefined ? promise : orCancelled(signal, promise);
}
