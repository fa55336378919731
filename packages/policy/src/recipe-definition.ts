import { type GuestFileText, guestFile } from "./guest-file.ts";
import {
  absolutePath,
  anyText,
  hostName,
  httpsAddress,
  recipeName,
  script,
  sha256,
  variableName,
  word,
} from "./isx-words.ts";
import { names, optional, present, required, texts, words } from "./optional-shapes.ts";
import { flag } from "./scalar-shapes.ts";
import { readDocument, type Shape } from "./shape.ts";
import { list, namedTable, table } from "./table-shapes.ts";

/** One recipe file: how a tool gets into an image. */
export interface RecipeDefinition {
  readonly name: string;
  readonly description?: string;
  /** Recipes that come first. */
  readonly requires?: readonly string[];
  readonly packages?: readonly string[];
  readonly downloads?: readonly RecipeDownload[];
  readonly run?: readonly string[];
  readonly runAsUser?: readonly string[];
  readonly files?: readonly GuestFileText[];
  readonly env?: Readonly<Record<string, string>>;
  /** Run as agentuser at the end of the build; a failure fails the build. */
  readonly verify?: string;
  readonly domains?: readonly string[];
  readonly agent?: { readonly name: string; readonly delegate: boolean };
}

export interface RecipeDownload {
  readonly url: string;
  /** 64 hex digits. */
  readonly sha256: string;
  /** Absolute path in the guest. */
  readonly to: string;
  /** Unpacks a tar archive into the directory `to`. */
  readonly extract?: boolean;
}

/**
 * The recipe in one file. Throws the Failure `config-invalid` (`refused`) with line, column and key of the first
 * mistake; `details.problems` has the others.
 */
export async function parseRecipeDefinition(bytes: Uint8Array, path: string): Promise<RecipeDefinition> {
  const { parseYamlDocument } = await import("./yaml-document.ts");
  return readDocument(parseYamlDocument(bytes, path), recipe);
}

const writtenDownload = table({
  url: required(words(httpsAddress), "https://example.org/tool.tar.gz"),
  sha256: required(words(sha256), "the output of sha256sum"),
  to: required(words(absolutePath), "/usr/local/bin/tool"),
  extract: optional(flag(false)),
});

const download: Shape<RecipeDownload> = (value, spot) => present(writtenDownload(value, spot));

const agent = table({
  name: required(words(recipeName), "claude"),
  delegate: required(flag(false), "false"),
});

const file = table({
  name: required(words(recipeName), "node"),
  description: optional(words(anyText)),
  requires: optional(names(recipeName)),
  packages: optional(names(word)),
  downloads: optional(list(() => download, [])),
  run: optional(texts(script)),
  "run-as-user": optional(texts(script)),
  files: optional(list(() => guestFile, [])),
  env: optional(namedTable(() => words(anyText), variableName)),
  verify: optional(words(script)),
  domains: optional(names(hostName)),
  agent: optional(agent),
});

const recipe: Shape<RecipeDefinition> = (value, spot) => {
  const { "run-as-user": runAsUser, ...rest } = file(value, spot);
  return present({ ...rest, runAsUser });
};
