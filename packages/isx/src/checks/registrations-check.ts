import { type Finding, findingsOf } from "@agent-control/cli";
import { harnesses } from "@agent-control/harness";
import {
  claudeServer,
  findProgram,
  lookThrough,
  type ServerEntry,
  serverFile,
} from "@agent-control/harness/setup";
import type { CommandPorts } from "../command-ports.ts";
import { ownServer } from "../setup/own-server.ts";
import { type Registrable, registrable, textReader } from "../setup/register.ts";
import type { Check } from "./check.ts";

/** Each agent on this host: whether it has the server, and the one of this isx. */
export const registrationsCheck: Check = {
  name: "registrations",
  look: async (ports) => {
    const server = await ownServer(ports, AbortSignal.timeout(20_000));
    const checks = registrable.map((agent) => agentCheck(agent, server));
    return (await Promise.all(checks.map((check) => findingsOf(check, ports)))).flat();
  },
};

interface Entry {
  readonly path: string;
  /** Undefined when there is none. */
  readonly argv: readonly string[] | undefined;
  /** Just as isx mcp register would write it. */
  readonly isCurrent: boolean;
}

function agentCheck(agent: Registrable, server: ServerEntry): Check {
  const { title, programs } = harnesses[agent];
  return {
    name: title,
    look: (ports) => {
      const found = findProgram(ports.machine.files, programs, ports.facts.env["PATH"]);
      if (found === undefined) return [{ check: title, level: "note", message: `${title} is not on PATH` }];
      return [entryFinding(ports, agent, entryOf(ports, agent, server))];
    },
  };
}

function entryOf(ports: CommandPorts, agent: Registrable, server: ServerEntry): Entry {
  const { home, env } = ports.facts;
  const read = textReader(ports);
  if (agent === "claude") {
    const { path, registered } = claudeServer({ home, env }, server);
    const there = registered(read(path) ?? "");
    return { path, argv: there?.argv, isCurrent: there?.isCurrent === true };
  }
  const file = serverFile(agent, { home, env, read }, { server, approve: false });
  const text = read(file.path) ?? "";
  return { path: file.path, argv: file.entries(text)[0], isCurrent: file.add(text).length === 0 };
}

function entryFinding(
  { machine }: CommandPorts,
  agent: Registrable,
  { path, argv, isCurrent }: Entry,
): Finding {
  const check = harnesses[agent].title;
  const next = `Run isx mcp register ${agent}`;
  if (argv === undefined) return { check, level: "note", message: `${path} has no server isx`, next };
  const gone = argv.find((word) => word.startsWith("/") && lookThrough(machine.files, word) === undefined);
  if (gone !== undefined) {
    return { check, level: "fail", message: `${path} leads to ${gone}, which does not exist`, next };
  }
  if (isCurrent) return { check, level: "ok", message: `${path} is up to date` };
  return {
    check,
    level: "warn",
    message: `The server isx in ${path} is not as this isx would write it`,
    next,
  };
}
