import type { Harness } from "./harness.ts";

/** The `hooks` section as Claude Code's settings.json and Codex's hooks.json write it. */
export interface HookSettings {
  readonly hooks: Readonly<Record<string, readonly HookGroup[]>>;
}

/** One command hook without a matcher. */
export interface HookGroup {
  readonly hooks: readonly [{ readonly type: "command"; readonly command: string; readonly timeout: number }];
}

/**
 * The settings that run a command at every hook of the harness, with the event as JSON on its standard input.
 * `commandOf` makes the line for a POSIX shell from the event's name, its words already quoted (`shellQuote`).
 */
export function hookSettings(harness: Harness, commandOf: (event: string) => string): HookSettings {
  const entries = harness.hooks.map(({ event, timeoutSeconds }): [string, readonly HookGroup[]] => [
    event,
    [{ hooks: [{ type: "command", command: commandOf(event), timeout: timeoutSeconds }] }],
  ]);
  return { hooks: Object.fromEntries(entries) };
}
