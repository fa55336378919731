export type { Branched, Branching, BranchRequest } from "./branching.ts";
export { type BranchingParts, createBranching } from "./create-branching.ts";
export { createTemplates, type TemplatesParts } from "./create-templates.ts";
export { type HostSetup, type PreparedHost, prepareHost } from "./host-setup.ts";
export { type Bridge, type HostNames, hostNames } from "./networks.ts";
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
export { clearedStamp, readStamp, type Stamp, type StampKey, stampConfig, stampKeys } from "./stamp.ts";
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
