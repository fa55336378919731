/** Replaces `length` characters (UTF-16 units) from `offset` on by `text`. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

export interface Edited {
  readonly text: string;
  /** The edits that turn the result back into what it was. */
  readonly undo: readonly TextEdit[];
}

/** Applies the edits one after another: the offsets of each are those of the text that the edits before it left. */
export function applyEdits(text: string, edits: readonly TextEdit[]): Edited {
  const undo: TextEdit[] = [];
  let now = text;
  for (const { offset, length, text: inserted } of edits) {
    undo.unshift({ offset, length: inserted.length, text: now.slice(offset, offset + length) });
    now = now.slice(0, offset) + inserted + now.slice(offset + length);
  }
  return { text: now, undo };
}
