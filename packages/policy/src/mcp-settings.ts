/** `mcp.yaml` of isx with every default filled in. */
export interface McpSettings {
  /** The only templates that agents may branch; [] for a missing or empty file. */
  readonly templates: readonly string[];
  readonly maxInstances: number;
  readonly maxConcurrentTasks: number;
  readonly orphanGraceHours: number;
  readonly dormantAfterHours: number;
  readonly dormantGraceHours: number;
  readonly summaryModel: string;
  /** In file order. */
  readonly hostTools: readonly HostTool[];
  /** Obsolete keys that are there and have no effect. */
  readonly obsolete: readonly string[];
}

export interface HostTool {
  /** `[a-z0-9][a-z0-9_-]{0,39}` and not the name of a built-in tool. */
  readonly name: string;
  /** Passed whole to `sh -c`. */
  readonly command: string;
  readonly description: string;
  /** Seconds, 0..600; 0 = no limit. */
  readonly timeout: number;
  /** Seconds from the end of the last run; 0 = calls wait in line. */
  readonly minInterval: number;
}
