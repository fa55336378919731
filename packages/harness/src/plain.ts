import type { Harness } from "./harness.ts";

/** A program of which nothing is known: a shell, a REPL, an unknown agent. */
export const plain: Harness = {
  id: "none",
  title: "Plain program",
  programs: [],
  reportsStatus: false,
  readiness: "none",
  midTurn: "unknown",
  settleMs: 0,
  readyDelayMs: 0,
  bracketedPaste: false,
  commandPrefixes: [],
  hooks: [],
  readScreen: () => ({ state: "unknown" }),
  readHook: () => undefined,
};
