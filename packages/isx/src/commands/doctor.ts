import { logFindings } from "@agent-control/audit";
import { defineCommand, doctorAnswer } from "@agent-control/cli";
import type { Check } from "../checks/check.ts";
import { incusCheck, rootCheck } from "../checks/incus-check.ts";
import { programCheck } from "../checks/program-check.ts";
import { registrationsCheck } from "../checks/registrations-check.ts";
import { configurationCheck, settingsCheck, templatesCheck } from "../checks/settings-check.ts";
import type { CommandPorts } from "../command-ports.ts";

const auditCheck: Check = {
  name: "audit log",
  look: ({ machine: { files }, places: { auditLog: path }, audit }) =>
    logFindings({ files, path, audit, verifyWith: "isx audit verify" }),
};

const checks: readonly Check[] = [
  programCheck,
  incusCheck,
  rootCheck,
  configurationCheck,
  templatesCheck,
  settingsCheck,
  registrationsCheck,
  auditCheck,
];

export const doctor = defineCommand({
  description:
    "Looks at everything that has to be in place and says what to do about what is not: Incus, config.yaml, templates, mcp.yaml, the registrations of agents, the audit log. Changes nothing. Exits with 1 when something is broken; a note or a warning is no failure.",
  arguments: [],
  flags: [],
  example: "isx doctor",
  run: (_invocation, ports: CommandPorts) => doctorAnswer(checks, ports),
});
