export { allowed, type Decision, type Refusal, refuse, requireAllowed } from "./decision.ts";
export { type ProgramDirectories, programDirectories } from "./directories.ts";
export {
  asFailure,
  cancelled,
  exitCodes,
  Failure,
  type FailureParts,
  type Outcome,
  renderFailure,
  throwIfCancelled,
} from "./failure.ts";
export { nearest } from "./nearest.ts";
export { orCancelled } from "./or-cancelled.ts";
export { type FileFailureCode, fileFailure, lockBusy, programMissing } from "./port-failures.ts";
export type {
  Clock,
  Command,
  FileKind,
  FileSeen,
  Files,
  Finished,
  LockOptions,
  Locks,
  Processes,
  ProcessIdentity,
  ProcessSeen,
  ProcessTable,
  Random,
  TerminalCommand,
  Watch,
} from "./ports.ts";
export { ancestors, isAlive } from "./process-identity.ts";
export { plainText, shownText } from "./safe-text.ts";
