export type { Activity, ActivityEvent, Status, StatusRecord } from "./activity.ts";
