import type { TextEdit } from "./text-edit.ts";

/**
 * A file of an agent CLI in which agent-control keeps entries. The functions are pure: they get the text of the file,
 * without a byte order mark and "" for a missing one, and throw a Failure for a file that cannot be edited safely.
 */
export interface ManagedFile {
  /** Absolute. */
  readonly path: string;
  /** What agent-control keeps there, for people: "status hooks". */
  readonly what: string;
  /** Whether it is what reports the status, or the registration of the MCP server. */
  readonly part: "status" | "server";
  /** The edits that bring the entries up to date; [] when they are. */
  add(text: string): readonly TextEdit[];
  /** The edits that take away what `add` wrote, now or earlier, and nothing else. */
  remove(text: string): readonly TextEdit[];
  /** The argv of each entry that `add` wrote. */
  entries(text: string): readonly (readonly string[])[];
}

/** What the entries of an agent CLI depend on. */
export interface AgentPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** argv that runs tongs-agents, without a verb; absolute. */
  readonly program: readonly string[];
  /** The text of a file; undefined when nothing is there. */
  readonly read: (path: string) => string | undefined;
}

/** The edit that makes `wanted` of the text; none when it is that already. */
export function replaceAll(text: string, wanted: string): TextEdit[] {
  return text === wanted ? [] : [{ offset: 0, length: text.length, text: wanted }];
}
