export type { ActivityStatus, Harness, HarnessId, HookPoint, HookReading, ScreenReading } from "./harness.ts";
