import { Composer, type CST, type ParsedNode, Parser, type YAMLError } from "yaml";
import { placeAt } from "./config-document.ts";
import { invalidConfig } from "./config-failure.ts";
import { saidAbout } from "./yaml-sentences.ts";

// Beyond this, parsing a text made to be slow takes seconds.
const sizeLimit = 128 * 1024;
const depthLimit = 64;

/** The root node of a YAML text, null for one without; throws `config-invalid` for what is not one YAML 1.2 document. */
export function composedYaml(text: string, path: string): ParsedNode | null {
  const refuse = (index: number, says: string, cause?: unknown): never => {
    throw invalidConfig(path, [{ ...placeAt(text, index), says }], cause);
  };
  if (text.length > sizeLimit) refuse(0, "the file is larger than 128 KiB");
  const documents = composer().compose(shallow(new Parser().parse(text), refuse), true, text.length);
  const first = documents.next().value;
  if (first === undefined) throw new Error("The YAML library gave no document");
  const second = documents.next().value;
  const problem = earliest([...first.errors, ...first.warnings]);
  if (problem !== undefined) refuse(problem.pos[0], saidAbout(problem.code), problem);
  if (first.directives.yaml.version !== "1.2") refuse(0, "the file asks for another YAML than 1.2");
  if (second !== undefined) refuse(second.range[0], "the file has a second document; only one is read");
  return first.contents;
}

// Duplicate keys are found when values are made: the library compares each key with each other.
function composer(): Composer<ParsedNode> {
  return new Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    stringKeys: true,
    intAsBigInt: true,
    prettyErrors: false,
    logLevel: "silent",
  });
}

function earliest(problems: readonly YAMLError[]): YAMLError | undefined {
  return problems.reduce<YAMLError | undefined>(
    (first, problem) => (first === undefined || problem.pos[0] <= first.pos[0] ? problem : first),
    undefined,
  );
}

// The composer calls itself for each level, so the depth is looked at first, without recursion.
function* shallow(
  tokens: Iterable<CST.Token>,
  refuse: (index: number, says: string) => never,
): Generator<CST.Token> {
  for (const token of tokens) {
    const open = [{ token, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { token, depth } = next;
      if (depth > depthLimit) refuse(token.offset, `the file is nested more than ${depthLimit} levels deep`);
      for (const child of childrenOf(token)) open.push({ token: child, depth: depth + 1 });
    }
    yield token;
  }
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap((item) => [item.key, item.value].filter((child) => child != null));
}
