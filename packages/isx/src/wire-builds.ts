import { type Builds, createBuilds } from "@agent-control/instances";
import type { Machine } from "@agent-control/system";
import type { InstanceWiring } from "./wire-instances.ts";

/** Builds for the verbs that people use; never a part of the MCP server. */
export function wireBuilds(machine: Machine, instances: InstanceWiring): Builds {
  return createBuilds({ ...machine, ...instances, certificate: () => undefined });
}
