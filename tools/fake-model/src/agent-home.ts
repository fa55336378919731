import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What every agent CLI needs to be run in a home of its own. */
export interface HomeOptions {
  /** Absolute path; made when missing. */
  readonly home: string;
  /** Absolute path of the directory, or of the git repository's root, in which the agent is to work. */
  readonly projectDir: string;
  /** The fake model's `url`. */
  readonly url: string;
}

/** A whole environment: run the agent with nothing else. */
export type AgentEnvironment = Readonly<Record<string, string>>;

/** The key that every home is given; the fake model takes any. */
export const apiKey = "test-key";

/** The part that is the same for every agent CLI. Makes `<home>/tmp`, so that nothing is written to /tmp. */
export function baseEnvironment(home: string): AgentEnvironment {
  const temporary = join(home, "tmp");
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  return {
    HOME: home,
    LANG: "C.UTF-8",
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    SHELL: "/bin/bash",
    TERM: "xterm-256color",
    TMPDIR: temporary,
    USER: "tester",
  };
}

/** Writes a configuration file (0600) and makes its directory. */
export function writeConfiguration(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}

/** Writes a JSON configuration file. */
export function writeJson(path: string, value: unknown): void {
  writeConfiguration(path, `${JSON.stringify(value, null, 2)}\n`);
}
