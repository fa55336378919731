import { Failure } from "@agent-control/base";
import type { Capabilities } from "./multiplexer.ts";

const minimum = { major: 3, minor: 2 };
/** The first version whose formats tell whether a program asked for bracketed paste. */
const knowsBracketedPaste = { major: 3, minor: 7 };

interface Version {
  readonly major: number;
  readonly minor: number;
}

/** What the tmux that printed this for `tmux -V` can tell. Throws `unsupported` below 3.2. */
export function tmuxCapabilities(printed: string): Capabilities {
  const version = parseTmuxVersion(printed);
  if (version !== undefined && isBefore(version, minimum)) throw tooOld(printed);
  return {
    panePid: true,
    paneModes: true,
    detachedOpen: true,
    maxPasteBytes: 1_000_000,
    bracketedPasteKnown: version !== undefined && !isBefore(version, knowsBracketedPaste),
    changedInNames: { ".": "_", ":": "_", "\\": "\\\\" },
  };
}

/** Reads `tmux 3.3a`, `tmux next-3.8`, `tmux 3.4-rc2`; undefined for builds without a number of their own. */
export function parseTmuxVersion(printed: string): Version | undefined {
  const match = /^tmux (?:next-)?(\d+)\.(\d+)/.exec(printed);
  return match ? { major: Number(match[1]), minor: Number(match[2]) } : undefined;
}

function isBefore(version: Version, other: Version): boolean {
  return version.major === other.major ? version.minor < other.minor : version.major < other.major;
}

function tooOld(printed: string): Failure {
  return new Failure("unsupported", {
    code: "tmux-too-old",
    message: `${printed.trim()} is too old`,
    next: `Install tmux ${minimum.major}.${minimum.minor} or newer`,
  });
}
