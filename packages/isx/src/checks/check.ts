import type { Check as AnyCheck } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";

/** A check of isx's doctor. */
export type Check = AnyCheck<CommandPorts>;
