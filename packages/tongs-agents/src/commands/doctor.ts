import { defineCommand } from "@agent-control/cli";
import { agentsCheck } from "../checks/agents-check.ts";
import { auditCheck } from "../checks/audit-check.ts";
import { type Check, type Row, rowsOf } from "../checks/check.ts";
import { codexDaemonCheck } from "../checks/codex-daemon-check.ts";
import { configurationCheck } from "../checks/configuration-check.ts";
import { directoriesCheck } from "../checks/directories-check.ts";
import { launchesCheck } from "../checks/launches-check.ts";
import { multiplexerCheck } from "../checks/multiplexer-check.ts";
import { programCheck } from "../checks/program-check.ts";
import type { CommandPorts } from "../command-ports.ts";

const checks: readonly Check[] = [
  programCheck,
  multiplexerCheck,
  configurationCheck,
  directoriesCheck,
  agentsCheck,
  codexDaemonCheck,
  launchesCheck,
  auditCheck,
];

export const doctor = defineCommand({
  description:
    "Looks at everything that has to be in place and says what to do about what is not: tmux and its socket, config.toml, directories, hooks and registrations of the agent CLIs, launch records, the audit log. Changes nothing. Exits with 1 when something is broken; a note or a warning is no failure.",
  arguments: [],
  flags: [],
  example: "tongs-agents doctor",
  run: async (_invocation, ports: CommandPorts) => {
    const rows = (await Promise.all(checks.map((check) => rowsOf(check, ports)))).flat();
    const failed = rows.some(({ level }) => level === "fail");
    return { json: { ok: !failed, rows }, human: rows.flatMap(lines), exitCode: failed ? 1 : 0 };
  },
});

function lines({ check, level, message, next }: Row): string[] {
  const line = `${level.padEnd(4)}  ${check}: ${message}`;
  return next === undefined ? [line] : [line, `      ${next}`];
}
