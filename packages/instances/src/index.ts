export type { Branched, Branching, BranchRequest } from "./branching.ts";
export type { BuildDone, BuildRequest, BuildStep, Builds } from "./builds.ts";
export { type BranchingParts, createBranching } from "./create-branching.ts";
export { type BuildsParts, createBuilds } from "./create-builds.ts";
export { createGuest } from "./create-guest.ts";
export { createHoldings } from "./create-holdings.ts";
export { createTasks, type TasksParts } from "./create-tasks.ts";
export { createTemplates, type TemplatesParts } from "./create-templates.ts";
export type {
  Guest,
  GuestExec,
  GuestExecEnded,
  KeptOutput,
  Presence,
  TaskListed,
  TaskPiece,
  TaskSeen,
  TaskStart,
  TaskState,
  TaskText,
} from "./guest.ts";
export type { GuestPorts } from "./guest-exec.ts";
export type { HoldingPorts } from "./holding-ports.ts";
export type {
  Adopted,
  AdoptOptions,
  Created,
  CreateHolding,
  ForkHolding,
  Held,
  HoldingLimits,
  Holdings,
  Listed,
  Started,
  Stopped,
} from "./holdings.ts";
export { type HostPorts, type HostSetup, type PreparedHost, prepareHost } from "./host-setup.ts";
export { isInstanceName } from "./instance-name.ts";
export { type Bridge, type HostNames, hostNames } from "./networks.ts";
export { ownerOf } from "./owner.ts";
export { ownerText } from "./owner-text.ts";
export { parseSession, processSession, type Session, type SessionLife, sessionLife } from "./session.ts";
export { clearedStamp, readStamp, type Stamp, type StampKey, stampConfig, stampKeys } from "./stamp.ts";
export { sweepOrphans } from "./sweep-orphans.ts";
export type { SweepAct, SweepOptions, SweepPorts, Swept } from "./sweep-turn.ts";
export type { OrphanLimits } from "./sweep-verdict.ts";
export type { StartTask, TaskKnown, Tasks } from "./tasks.ts";
export type {
  BuiltTemplate,
  DefinitionFound,
  Layer,
  RecipeFound,
  Template,
  TemplateSet,
  Templates,
} from "./templates.ts";
