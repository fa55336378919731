import type { Clock } from "@agent-control/base";
import type { Branching, Guest, Holdings, Tasks, Templates } from "@agent-control/instances";
import type { Annotations, Tool } from "@agent-control/mcp";
import type { IsxConfig, McpSettings } from "@agent-control/policy";
import type { HostToolRunner } from "./host-tools/host-tool-runner.ts";

/** What one call's gates and handler share. */
export interface IsxContext {
  /** mcp.yaml as it was when the call came; throws why it cannot be used. */
  readonly settings: () => McpSettings;
  /** config.yaml likewise. */
  readonly config: () => IsxConfig;
  readonly instances: InstancePorts;
  readonly hostTools: HostToolRunner;
  readonly clock: Clock;
}

/** The ways to instances; each throws `unavailable` when Incus cannot be reached. */
export interface InstancePorts {
  readonly templates: Templates;
  readonly branching: Branching;
  readonly guest: Guest;
  readonly tasks: Tasks;
  readonly holdings: Holdings;
}

/** A tool of this server; every call gets the context of `openContext` in commands/mcp.ts. */
export type IsxTool<Input, Output extends object> = Tool<IsxContext, Input, Output>;

export const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const makes: Annotations = { ...reads, readOnlyHint: false, idempotentHint: false };
export const settles: Annotations = { ...reads, readOnlyHint: false };
export const destroys: Annotations = { ...settles, destructiveHint: true };
