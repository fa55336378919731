import { Failure } from "@agent-control/base";
import type { InstancePorts } from "./isx-tool.ts";

/** The ways to instances for one session. */
export async function openSession(): Promise<InstancePorts> {
  throw new Failure("unavailable", {
    code: "incus-unreachable",
    message: "This build cannot reach Incus yet",
    next: "Use a later one",
  });
}
