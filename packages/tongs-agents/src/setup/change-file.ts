import type { Files, Random } from "@agent-control/base";
import {
  type AgentFile,
  applyEdits,
  type ManagedFile,
  readAgentFile,
  replaceAgentFile,
  type TextEdit,
} from "@agent-control/harness/setup";
import { renderDiff } from "./render-diff.ts";
import type { Undo, UndoFile } from "./undo-file.ts";

export interface ChangePorts {
  readonly files: Files;
  readonly random: Random;
  readonly uid: number;
  readonly undo: UndoFile;
  /** Nothing is written. */
  readonly dryRun: boolean;
}

/** One step of install or uninstall. */
export interface Step {
  /** What it is about: "status hooks", "MCP server". */
  readonly what: string;
  readonly state: "unchanged" | "written" | "removed" | "would-write" | "would-remove";
  /** The file that it concerns. */
  readonly path: string;
  /** What changed or would change: a unified diff, or a command line. "" for nothing. */
  readonly change: string;
}

/** Brings our entries of the file up to date and remembers how to undo that. */
export function installFile(ports: ChangePorts, managed: ManagedFile): Step {
  const seen = readAgentFile(ports.files, managed.path);
  const edits = managed.add(seen.text);
  const { text, undo } = applyEdits(seen.text, edits);
  if (edits.length === 0) return step(managed, seen, { text, state: "unchanged" });
  if (ports.dryRun) return step(managed, seen, { text, state: "would-write" });
  const before = ports.undo.find(seen.path, seen.text);
  replaceAgentFile(ports, seen, text);
  const existed = before ? before.existed : seen.exists;
  ports.undo.remember({ path: seen.path, existed, edits: [...undo, ...(before?.edits ?? [])] }, text);
  return step(managed, seen, { text, state: "written" });
}

/** Restores the file as it was before install; once somebody changed it, takes away our entries only. */
export function uninstallFile(ports: ChangePorts, managed: ManagedFile): Step {
  const seen = readAgentFile(ports.files, managed.path);
  const before = ports.undo.find(seen.path, seen.text);
  const edits = removingEdits(managed, seen, before);
  const { text } = applyEdits(seen.text, edits);
  const isOver = text === "" && seen.exists && !before?.existed;
  const left = isOver ? undefined : text;
  if (edits.length === 0) return step(managed, seen, { text: seen.text, state: "unchanged" });
  if (ports.dryRun) return step(managed, seen, { text: left, state: "would-remove" });
  replaceAgentFile(ports, seen, left);
  ports.undo.forget(seen.path);
  return step(managed, seen, { text: left, state: "removed" });
}

/** The text before install may hold entries of an earlier one. */
function removingEdits(managed: ManagedFile, seen: AgentFile, before: Undo | undefined): readonly TextEdit[] {
  const restoring = before?.edits ?? [];
  return [...restoring, ...managed.remove(applyEdits(seen.text, restoring).text)];
}

function step(
  { what }: ManagedFile,
  seen: AgentFile,
  { text, state }: { readonly text: string | undefined; readonly state: Step["state"] },
): Step {
  const old = seen.exists ? seen.text : undefined;
  return {
    what,
    state,
    path: seen.path,
    change: state === "unchanged" ? "" : renderDiff(seen.path, old, text),
  };
}
