import { createTwoFilesPatch } from "diff";

/** The change of a file as a unified diff; undefined: the file does not exist. */
export function renderDiff(path: string, before: string | undefined, after: string | undefined): string {
  const name = (text: string | undefined) => (text === undefined ? "/dev/null" : path);
  return createTwoFilesPatch(name(before), name(after), before ?? "", after ?? "", undefined, undefined, {
    context: 3,
  }).replace(/^Index: .*\n=+\n/, "");
}
