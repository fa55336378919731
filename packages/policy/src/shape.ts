import type { ConfigDocument, KeyPath, TableWord } from "./config-document.ts";
import { invalidConfig, type Problem, place } from "./config-failure.ts";

/**
 * What a value in a file must look like. Reads the value (undefined: the key is missing) and always returns a T:
 * the default when it is missing or wrong. What is wrong goes to `spot`.
 */
export type Shape<T> = (value: unknown, spot: Spot) => T;

/** Where a shape reads, and where it says what is wrong. */
export interface Spot {
  readonly keyPath: KeyPath;
  /** What a set of keys and values is called in this file's format. */
  readonly tableWord: TableWord;
  /** The spot of a key or list element below this one. */
  below(key: string | number): Spot;
  /** Notes that the value here is wrong: "must be …". */
  refuse(says: string, advice?: string): void;
  /** Notes that the key here must not be. */
  refuseKey(says: string, advice?: string): void;
}

/** A document as the value that the shape describes; throws the Failure `config-invalid` with places. */
export async function readDocument<T>(document: ConfigDocument, shape: Shape<T>): Promise<T> {
  const problems: Problem[] = [];
  const value = shape(document.value, spotAt({ keyPath: [], tableWord: document.tableWord, problems }));
  if (problems.length === 0) return value;
  const placed = problems.map(async (problem) => {
    return place(problem, await document.placeOf(problem.keyPath, problem.part));
  });
  throw invalidConfig(document.path, await Promise.all(placed));
}

// A file of nothing but mistakes is not worth placing each of them.
const mostProblems = 100;

interface SpotParts {
  readonly keyPath: KeyPath;
  readonly tableWord: TableWord;
  readonly problems: Problem[];
}

// Below a value that is wrong as a whole, nothing more is noted.
function spotAt({ keyPath, tableWord, problems }: SpotParts): Spot {
  let refused = false;
  const note = (part: "key" | "value", says: string, advice?: string): void => {
    if (problems.length === mostProblems) return;
    problems.push({ keyPath, part, says, ...(advice === undefined ? {} : { advice }) });
  };
  return {
    keyPath,
    tableWord,
    below: (key) => spotAt({ keyPath: [...keyPath, key], tableWord, problems: refused ? [] : problems }),
    refuse(says, advice) {
      refused = true;
      note("value", says, advice);
    },
    refuseKey: (says, advice) => note("key", says, advice),
  };
}
