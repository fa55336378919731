import { anyText, fileMode, guestPath } from "./isx-words.ts";
import { optional, present, required, words } from "./optional-shapes.ts";
import { oneOf } from "./scalar-shapes.ts";
import type { Shape } from "./shape.ts";
import { table } from "./table-shapes.ts";

export interface GuestFileText {
  readonly path: string;
  readonly content: string;
  /** Default agentuser below its home, else root. */
  readonly owner?: "root" | "agentuser";
  /** Permission bits, e.g. 0o644. */
  readonly mode?: number;
}

const written = table({
  path: required(words(guestPath), "/etc/motd"),
  content: required(words(anyText), "a block of text after |"),
  owner: optional(oneOf(["root", "agentuser"], "root")),
  mode: optional(permissionBits),
});

/** A file that a template or recipe puts into the image. */
export const guestFile: Shape<GuestFileText> = (value, spot) => present(written(value, spot));

// A bare 0644 is the decimal number 644 in YAML 1.2, and 0o644 is 420: only text says what the person means.
function permissionBits(...[value, spot]: Parameters<Shape<number>>): number {
  if (typeof value !== "string") {
    spot.refuse('must be octal digits in quotes, such as "0644"');
    return 0;
  }
  return Number.parseInt(words(fileMode)(value, spot) || "0", 8);
}
