export type { Activity, ActivityEvent, Status, StatusRecord } from "./activity.ts";
export { type ActivityPorts, createActivity } from "./create-activity.ts";
