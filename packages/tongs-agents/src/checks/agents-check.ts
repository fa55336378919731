import { dirname, join } from "node:path";
import { type Finding, findingsOf, type Level } from "@agent-control/cli";
import { harnesses } from "@agent-control/harness";
import {
  type AgentId,
  type AgentPlace,
  agentRegistration,
  claudeServer,
  codexEventKey,
  findProgram,
  isExecutable,
  lookThrough,
  type ManagedFile,
  readAgentFile,
  tongsServer,
  trustedCodexEvents,
} from "@agent-control/harness/setup";
import type { CommandPorts } from "../command-ports.ts";
import { agentPlace } from "../setup/agent-place.ts";
import { ownProgram } from "../setup/own-program.ts";
import { agentIds } from "../setup/set-up-agents.ts";
import type { Check } from "./check.ts";

/** Each agent CLI: what reports its status and its MCP registration are there, complete, and lead to a program. */
export const agentsCheck: Check = {
  name: "agents",
  look: async (ports) => {
    const rows: Finding[] = [];
    for (const agent of agentIds) {
      const check = { name: harnesses[agent].title, look: () => agentRows(ports, agent) };
      rows.push(...(await findingsOf(check, ports)));
    }
    return rows;
  },
};

async function agentRows(ports: CommandPorts, agent: AgentId): Promise<readonly Finding[]> {
  const { title, programs } = harnesses[agent];
  if (findProgram(ports.machine.files, programs, ports.facts.env["PATH"]) === undefined) {
    return [{ check: title, level: "note", message: `${title} is not on PATH` }];
  }
  const place = agentPlace(ports, ownProgram(ports).argv);
  const { files, notes } = agentRegistration(agent, { ...place, approve: false });
  const checks = files.map((file) => fileCheck(agent, file));
  const own = agent === "claude" ? [claudeServerCheck(place)] : [];
  const trust = agent === "codex" ? files.filter(({ part }) => part === "status").map(trustCheck) : [];
  const rows = await Promise.all([...checks, ...own, ...trust].map((check) => findingsOf(check, ports)));
  const known = notes.map(
    (note): Finding => ({ check: title, level: "note", message: note.replace(/\.$/, "") }),
  );
  return [...rows.flat(), ...known];
}

interface Entries {
  readonly check: string;
  readonly what: string;
  readonly path: string;
  readonly argvs: readonly (readonly string[])[];
  /** As this program would write them. */
  readonly isCurrent: boolean;
  readonly install: string;
}

function fileCheck(agent: AgentId, file: ManagedFile): Check {
  const check = `${harnesses[agent].title} ${file.what}`;
  return {
    name: check,
    look: ({ machine }) => {
      const { text } = readAgentFile(machine.files, file.path);
      const argvs = file.entries(text);
      // An approval that a person chose makes no entry stale.
      const isCurrent =
        argvs.length > 0 &&
        file.add(text.replace(/^default_tools_approval_mode = .*\r?\n/m, "")).length === 0;
      const install = `Run tongs-agents install --agent ${agent}`;
      return [entriesRow(machine, { check, what: file.what, path: file.path, argvs, isCurrent, install })];
    },
  };
}

function claudeServerCheck(place: AgentPlace): Check {
  const check = "Claude Code MCP server";
  const server = claudeServer(place, tongsServer(place));
  return {
    name: check,
    look: ({ machine }) => {
      const there = server.registered(readAgentFile(machine.files, server.path).text);
      const argvs = there ? [there.argv] : [];
      const isCurrent = there?.isCurrent === true;
      const install = "Run tongs-agents install --agent claude";
      return [
        entriesRow(machine, { check, what: "MCP server", path: server.path, argvs, isCurrent, install }),
      ];
    },
  };
}

function entriesRow({ files }: CommandPorts["machine"], entries: Entries): Finding {
  const { check, what, path, argvs, isCurrent, install } = entries;
  const unlike = (level: Level, message: string): Finding => ({ check, level, message, next: install });
  if (argvs.length === 0) return unlike("note", `${path} holds no ${what}`);
  const gone = argvs.flat().find((word) => word.startsWith("/") && lookThrough(files, word) === undefined);
  if (gone !== undefined) return unlike("fail", `${path} leads to ${gone}, which does not exist`);
  const program = argvs[0]?.[0] ?? "";
  const canRun = !program.startsWith("/") || isExecutable(files, program);
  if (!canRun) return unlike("fail", `${path} leads to ${program}, which cannot be run`);
  if (!isCurrent) return unlike("warn", `${path} is not as this version of the program writes it`);
  return { check, level: "ok", message: `${path} is up to date` };
}

/** Codex skips hooks that nobody trusted, without a word. */
function trustCheck(hooks: ManagedFile): Check {
  const check = "Codex hook trust";
  return {
    name: check,
    look: ({ machine }) => {
      const own = hooks.entries(readAgentFile(machine.files, hooks.path).text);
      const events = own.map((argv) => argv.at(-3) ?? "");
      if (events.length === 0) return [];
      const config = readAgentFile(machine.files, join(dirname(hooks.path), "config.toml"));
      const trusted = trustedCodexEvents(config.text, hooks.path);
      const untrusted = events.filter((event) => !trusted?.has(codexEventKey(event)));
      if (untrusted.length === 0) return [{ check, level: "ok", message: "Codex trusts the status hooks" }];
      const message = `Codex does not run the hooks for ${untrusted.join(", ")}: nobody has trusted them yet`;
      return [
        { check, level: "warn", message, next: "Open Codex and trust them, at its start or with /hooks" },
      ];
    },
  };
}
