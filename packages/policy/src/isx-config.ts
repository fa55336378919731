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
