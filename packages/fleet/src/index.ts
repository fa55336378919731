export { type Agent, type AgentState, isRunning, listAgents } from "./agents.ts";
export { proveCaller } from "./caller.ts";
export { type ClaimPorts, claimLaunch } from "./claim.ts";
export { launchState, type SendOptions, sendText, type WaitRequest, waitForState } from "./drive.ts";
export type { FleetPorts, Places } from "./fleet-ports.ts";
export { focusLaunch } from "./focus-launch.ts";
export {
  type ControlContext,
  type ControlGate,
  callerGates,
  createControlContext,
  optedInProfile,
  requireTarget,
  spawnGates,
  targetGates,
} from "./gates.ts";
export {
  type ClaimedLaunch,
  isClaimed,
  isLaunchId,
  type Launch,
  type LaunchState,
  launchId,
} from "./launch.ts";
export { type LaunchAbove, launchAbove } from "./launch-above.ts";
export { parseLaunch, renderLaunch } from "./launch-file.ts";
export { execLine, launchEnvironment, launcherArgv } from "./launcher.ts";
export { createLaunches, type Launches, unknownLaunch } from "./launches.ts";
export { isLive } from "./live-launch.ts";
export { type Opened, openLaunch, type SpawnRequest } from "./open-launch.ts";
export { type Reporter, reportingAgent } from "./reporting-agent.ts";
export { type Spawned, settleLaunch } from "./settle-launch.ts";
export { isBelowSharedDaemon, refuseSharedDaemon } from "./shared-daemon.ts";
export { type Slot, withSlot } from "./slot.ts";
export { sessionOf, targetOf, type Verified, type VerifyPorts, verifyLaunch } from "./verify.ts";
