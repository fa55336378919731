export { type DeliverOptions, type Delivery, deliver } from "./deliver.ts";
export { type DeliverableText, deliverableText, maxTextBytes } from "./deliverable-text.ts";
export { obstacleFailure } from "./obstacle-failure.ts";
export type { PromptMark } from "./prompt-mark.ts";
export { withSharedLooks } from "./shared-looks.ts";
export { combine, type PaneState, readState, type StateReading } from "./state.ts";
export type { PanePorts, Subject } from "./subject.ts";
export { awaitState, type Until, type WaitEnd, type WaitOptions } from "./wait.ts";
