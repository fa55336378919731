import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { Files } from "@agent-control/base";
import type { TextEdit } from "@agent-control/harness/setup";
import * as z from "zod";

/** What install did to one file, as long as nobody changed it since. */
export interface Undo {
  readonly path: string;
  /** SHA-256 of the file's text as install left it, hexadecimal. */
  readonly sha256: string;
  /** Whether the file was there before. */
  readonly existed: boolean;
  /** The edits that make the old text of it. */
  readonly edits: readonly TextEdit[];
}

/** The undo records of one state directory, by real path. */
export interface UndoFile {
  /** The record of the file, when its text still is what install wrote. */
  find(path: string, text: string): Undo | undefined;
  remember(undo: Omit<Undo, "sha256">, text: string): void;
  forget(path: string): void;
}

const shape = z.strictObject({
  schema: z.literal(1),
  files: z.array(
    z.strictObject({
      path: z.string(),
      sha256: z.string(),
      existed: z.boolean(),
      edits: z.array(z.strictObject({ offset: z.int().min(0), length: z.int().min(0), text: z.string() })),
    }),
  ),
});

/** `<state>/installed.json`: with it uninstall restores a file to the byte; without it, it removes the entries only. */
export function createUndoFile(files: Files, path: string): UndoFile {
  const all = () => readAll(files, path);
  const store = (records: readonly Undo[]) => {
    files.makeDirectory(dirname(path));
    files.write(path, `${JSON.stringify({ schema: 1, files: records })}\n`);
  };
  return {
    find: (real, text) => all().find((undo) => undo.path === real && undo.sha256 === hashOf(text)),
    remember(undo, text) {
      const others = all().filter((other) => other.path !== undo.path);
      store([...others, { ...undo, sha256: hashOf(text) }]);
    },
    forget(real) {
      const before = all();
      const others = before.filter((other) => other.path !== real);
      if (others.length === 0) files.remove(path);
      else if (others.length < before.length) store(others);
    },
  };
}

/** A file that cannot be read costs only the exact restoring. */
function readAll(files: Files, path: string): readonly Undo[] {
  const bytes = files.look(path)?.kind === "file" ? files.read(path, 16 * 1024 * 1024) : undefined;
  const parsed = shape.safeParse(parseJson(new TextDecoder().decode(bytes)));
  return parsed.success ? parsed.data.files : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
