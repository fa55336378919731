import { appendFileSync } from "node:fs";
import type { Dialect } from "./dialect.ts";
import type { Answer } from "./script.ts";

/** One request for a model's answer, as the fake model understood it. */
export interface LoggedRequest {
  /** Counts from 1. */
  readonly n: number;
  /** When it came, ISO 8601. */
  readonly at: string;
  readonly dialect: Dialect["name"];
  readonly model: string;
  /** Whatever the client sends that names its session. */
  readonly session: string | undefined;
  /** True when no tool was offered: a title or a summary, not a turn of the agent. */
  readonly side: boolean;
  /** The first 200 characters of the system prompt. */
  readonly system: string;
  /** The newest prompt. */
  readonly userText: string;
  readonly toolNames: readonly string[];
  /** Texts of the tool results since the newest prompt. */
  readonly toolResults: readonly string[];
  /** The directives of the newest prompt, by kind. */
  readonly directives: readonly string[];
  /** What the model says and calls; undefined when the request failed. */
  readonly answered: Answer | undefined;
  /** The HTTP status. */
  readonly status: number;
  /** Why the script could not be followed. */
  readonly problem?: string;
  /** `aborted`: the client went away before the answer was whole. */
  readonly state: "pending" | "sent" | "aborted";
}

export interface RequestLog {
  /** Adds a request that is about to be answered; returns its number. */
  begin(request: Omit<LoggedRequest, "n" | "at" | "state">): number;
  /** Notes how the request ended and writes its line to the file. */
  end(n: number, state: "sent" | "aborted"): void;
  all(): readonly LoggedRequest[];
  /**
   * The first request, also of those already there, for which the predicate holds; it is asked when a request
   * comes and when it ends. Rejects after `ms` milliseconds with what was seen.
   */
  waitFor(predicate: (request: LoggedRequest) => boolean, ms: number): Promise<LoggedRequest>;
}

/** A log in memory, and in `file` as one JSON line per ended request. */
export function createRequestLog(file: string | undefined): RequestLog {
  const requests: LoggedRequest[] = [];
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const look of [...watchers]) look();
  };
  return {
    begin(request) {
      const n = requests.length + 1;
      requests.push({ n, at: new Date().toISOString(), ...request, state: "pending" });
      changed();
      return n;
    },
    end(n, state) {
      const pending = requests[n - 1];
      if (pending === undefined) throw new Error(`There is no request ${n}.`);
      const ended: LoggedRequest = { ...pending, state };
      requests[n - 1] = ended;
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(ended)}\n`);
      changed();
    },
    all: () => [...requests],
    waitFor(predicate, ms) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = requests.find(predicate);
          if (found === undefined) return;
          stop();
          resolve(found);
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`No such request within ${ms} ms. Seen:\n${requests.map(shortly).join("\n")}`));
        }, ms);
        const stop = () => {
          clearTimeout(timer);
          watchers.delete(look);
        };
        watchers.add(look);
        look();
      });
    },
  };
}

function shortly({ n, side, state, status, userText, toolResults }: LoggedRequest): string {
  return JSON.stringify({
    n,
    side,
    state,
    status,
    userText: userText.slice(0, 200),
    results: toolResults.length,
  });
}
