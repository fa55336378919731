import { Failure, shownText } from "@agent-control/base";
import { type ManagedFile, replaceAll } from "./managed-file.ts";
import { ownFileMark } from "./reporter-source.ts";

/** A file that is install's as a whole: a plugin or an extension with this body. */
export function sourceFile(
  path: string,
  {
    what,
    body,
    program,
  }: { readonly what: string; readonly body: string; readonly program: readonly string[] },
): ManagedFile {
  const isOwn = (text: string) => text.startsWith(ownFileMark);
  return {
    path,
    what,
    part: "status",
    add: (text) => {
      if (text !== "" && !isOwn(text)) throw foreignFile(path);
      return replaceAll(text, `${ownFileMark}\n${body}`);
    },
    remove: (text) => (isOwn(text) ? replaceAll(text, "") : []),
    entries: (text) => {
      if (!isOwn(text)) return [];
      return [writtenProgram(text) ?? program];
    },
  };
}

/** The program that the file runs, from the two lines that say it. */
function writtenProgram(text: string): string[] | undefined {
  const file = /^const file = (".*");$/m.exec(text)?.[1];
  const args = /^const args = (\[.*\]);$/m.exec(text)?.[1];
  return file && args ? [JSON.parse(file), ...JSON.parse(args)] : undefined;
}

function foreignFile(path: string): Failure {
  return new Failure("refused", {
    code: "foreign-file",
    message: `${shownText(path)} is there and install did not write it`,
    next: "Move that file away, then run this again",
    details: { path },
  });
}
