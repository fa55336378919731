import { commandScript, foregroundScript } from "./exec-scripts.ts";
import { agentUser } from "./guest-user.ts";

/**
 * The argv, for root, of a command in the foreground: a transient scope around the process that Incus started, so
 * that its exit code is the true one and no other process has to be waited for. Costs 8 ms where a transient service
 * costs 12 (systemd 252). systemd-run's own --uid would leave out agentuser's supplementary groups.
 */
export function foregroundArgv(unit: string): readonly string[] {
  const { name } = agentUser;
  return [
    ...["systemd-run", "--quiet", "--collect", "--scope", `--unit=${unit}`, "--description=isx exec", "--"],
    ...["setpriv", `--reuid=${name}`, `--regid=${name}`, "--init-groups", "--reset-env", "--"],
    ...["/bin/sh", "-c", foregroundScript, "isx", commandScript, unit],
  ];
}
