import { defineCommand, doctorAnswer } from "@agent-control/cli";
import { agentsCheck } from "../checks/agents-check.ts";
import { auditCheck } from "../checks/audit-check.ts";
import type { Check } from "../checks/check.ts";
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
  run: (_invocation, ports: CommandPorts) => doctorAnswer(checks, ports),
});
