import { ownProcess, serveStdio } from "@agent-control/mcp";
import { catalogue } from "../catalogue.ts";
import { isxFailureReply } from "../failure-reply.ts";
import { createHostToolLister } from "../host-tools/host-tool-lister.ts";
import { instructions } from "../instructions.ts";
import type { InstancePorts } from "../isx-tool.ts";
import { type ProcessFacts, wire } from "../main.ts";
import type { Places } from "../places.ts";
import { coordinate } from "../prompt.ts";
import { createReminder } from "../reminder.ts";
import { version } from "../version.ts";

/** `isx mcp`: serves the tools on this process's stdio until its client is gone. */
export async function serveMcp(facts: Omit<ProcessFacts, "diagnose">, places: Places): Promise<void> {
  // Registrations on Linux run through sg, which forks and forwards no signal.
  const { input, output, stopped, diagnose } = ownProcess(process, { endsWithParent: true });
  const { machine, settings, hostTools, audit } = wire({ ...facts, diagnose }, places);
  const remind = createReminder(diagnose);
  let instances: Promise<InstancePorts> | undefined;
  await serveStdio({
    name: "isx",
    version,
    instructions,
    catalogue,
    prompts: [coordinate],
    addedTools: createHostToolLister(settings),
    tools: async () => (await import("../tools.ts")).tools,
    addedTool: async (name) => (await import("../host-tools/host-tool.ts")).hostTool(name),
    openContext: async () => {
      const now = await settings.read();
      remind(now);
      instances ??= import("../open-session.ts").then(({ openSession }) => openSession());
      return { ...now, instances: await instances, hostTools, clock: machine.clock };
    },
    failureReply: isxFailureReply,
    audit: { log: audit, actor: "mcp" },
    clock: machine.clock,
    input,
    output,
    stopped,
    ended: async () => (await instances)?.holdings.release(),
    diagnose,
  });
}
