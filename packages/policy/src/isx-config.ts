import { join } from "node:path";
import { isxAccounts } from "./isx-accounts.ts";
import { hostDirectory, hostName, imageName } from "./isx-words.ts";
import { names, optional, words } from "./optional-shapes.ts";
import { readDocument, type Shape } from "./shape.ts";
import { table } from "./table-shapes.ts";

/** `config.yaml` of isx with every default filled in. */
export interface IsxConfig {
  /** Directories with images/ and tools/ below; "~" already resolved. */
  readonly searchPaths: readonly string[];
  /** Replaces the built-in templates' base image. */
  readonly baseImage: string | undefined;
  /** Host names that proxy-only instances may reach besides the recipes' own. */
  readonly proxyAllow: readonly string[];
  /** True when it holds the old `mcp:` section, whose values are never used. */
  readonly hasMcpSection: boolean;
}

/**
 * The configuration in a `config.yaml`; no bytes means every default; `home` stands for "~". Accounts are checked
 * and not returned. Throws the Failure `config-invalid` (`refused`) with line, column and key of the first mistake,
 * never with a value that may be a secret.
 */
export async function parseIsxConfig(bytes: Uint8Array, path: string, home: string): Promise<IsxConfig> {
  const { parseYamlDocument } = await import("./yaml-document.ts");
  const {
    mcp,
    searchPaths,
    "base-image": baseImage,
    proxy,
  } = await readDocument(parseYamlDocument(bytes, path), file);
  return {
    searchPaths: searchPaths.map((directory) => directory.replace(/^~(?=\/|$)/, () => join(home))),
    baseImage,
    proxyAllow: proxy.allow,
    hasMcpSection: mcp,
  };
}

const isThere: Shape<boolean> = (value) => value !== undefined;

const file = table({
  searchPaths: names(hostDirectory),
  "base-image": optional(words(imageName)),
  proxy: table({ allow: names(hostName) }),
  mcp: isThere,
  ...isxAccounts,
});
