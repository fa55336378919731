import { Failure, plainText, shownText } from "@agent-control/base";
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

export type JsonNode = Node;

/** What a JSON file holds, with places; undefined for a blank one. Comments and trailing commas are accepted. */
export function parseJsonText(text: string, path: string): JsonNode | undefined {
  if (text.trim() === "") return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) throw malformed(path, `${placeOf(text, error.offset)} (${printParseErrorCode(error.error)})`);
  if (root?.type !== "object") throw unexpected(path, "the file", "an object");
  return root;
}

/**
 * The value of a member; undefined when it is not there. Throws for a key that is there twice, of which programs
 * take the first or the last.
 */
export function memberOf(object: JsonNode, key: string, path: string): JsonNode | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
  if (found.length > 1) throw malformed(path, `${JSON.stringify(key)} is there twice`);
  return found[0]?.children?.[1];
}

/** A member that must be of this type where it is there. */
export function typedMember(
  object: JsonNode,
  key: string,
  { type, path }: { readonly type: "object" | "array"; readonly path: string },
): JsonNode | undefined {
  const value = memberOf(object, key, path);
  if (value && value.type !== type) throw unexpected(path, JSON.stringify(key), `an ${type}`);
  return value;
}

/** The Failure for a file of an agent CLI that cannot be edited safely. */
export function malformed(path: string, why: string, cause?: unknown): Failure {
  return new Failure("error", {
    code: "agent-config-malformed",
    message: `${shownText(path)} cannot be edited safely: ${plainText(why)}`,
    next: "Correct the file, then run this again; nothing in it was changed",
    cause,
    details: { path },
  });
}

function unexpected(path: string, what: string, type: string): Failure {
  return malformed(path, `${what} is not ${type}`);
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} is not JSON`;
}
