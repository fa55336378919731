export type { Annotations, Call, FailureReply, Gate, Tool } from "./tool.ts";
