import { defineCommand, type Invocation, renderJson } from "@agent-control/cli";
import { type Agent, isRunning, listAgents } from "@agent-control/fleet";
import { agentTable, shownAgent } from "../agent-view.ts";
import type { CommandPorts } from "../command-ports.ts";
import { followAgents } from "../follow-agents.ts";

type Call = Pick<Invocation, "print" | "renderTable" | "signal" | "terminal">;

/** The alternate screen without a cursor, and back: what the terminal showed before stays. */
const enter = "\u001b[?1049h\u001b[?25l";
const leave = "\u001b[?25h\u001b[?1049l";
const home = "\u001b[H\u001b[J";

export const monitor = defineCommand({
  description:
    "Shows one row for each agent that runs, and follows its changes until ^C. Where standard output is no terminal, or with --once, it prints the rows as they are now.\n\nWith --json it prints one JSON line for each agent, and one more at each change, the last when the agent has ended; with --once only the first.",
  arguments: [],
  flags: [
    { name: "once", type: "boolean", summary: "Print the rows as they are now" },
    { name: "json", type: "boolean", summary: "Print JSON lines" },
  ],
  example: "tongs-agents monitor --once",
  ownsStdout: true,
  run: async ({ flags: { once, json }, ...call }, ports: CommandPorts) => {
    if (json) return printLines(call, ports, once);
    const isScreen = call.terminal.stdoutIsTerminal && ports.facts.env["TERM"] !== "dumb";
    if (!once && isScreen) await showRows(call, ports);
    const agents = (await listAgents(ports.fleet)).filter(isRunning);
    return { json: {}, human: tableOf(ports, agents) };
  },
});

async function printLines({ print, signal }: Call, ports: CommandPorts, once: boolean): Promise<undefined> {
  const printed = new Map<string, string>();
  await followAgents(ports, signal, async (agents) => {
    for (const agent of agents) {
      const { id } = agent.launch;
      const line = renderJson(shownAgent(agent), false);
      if ((!isRunning(agent) && !printed.has(id)) || printed.get(id) === line) continue;
      printed.set(id, line);
      if (!(await print(line))) return false;
    }
    return !once;
  });
  return undefined;
}

async function showRows({ print, renderTable, signal }: Call, ports: CommandPorts): Promise<void> {
  let shown = "";
  await print(enter);
  try {
    await followAgents(ports, signal, async (agents) => {
      const lines = await renderTable(tableOf(ports, agents.filter(isRunning), true));
      const text = lines.join("\r\n");
      if (text === shown) return true;
      shown = text;
      return print(home + text);
    });
  } finally {
    await print(leave);
  }
}

function tableOf(ports: CommandPorts, agents: readonly Agent[], glyphs = false) {
  return agentTable(agents, { nowMs: ports.machine.clock.now(), glyphs });
}
