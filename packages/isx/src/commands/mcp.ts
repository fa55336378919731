import { ownProcess, serveStdio } from "@agent-control/mcp";
import { createBackgroundSweep } from "../background-sweep.ts";
import { catalogue } from "../catalogue.ts";
import { isxFailureReply } from "../failure-reply.ts";
import { createHostToolLister } from "../host-tools/host-tool-lister.ts";
import { instructions } from "../instructions.ts";
import { type ProcessFacts, wire } from "../main.ts";
import type { OpenSession } from "../open-session.ts";
import type { Places } from "../places.ts";
import { coordinate } from "../prompt.ts";
import { createReminder } from "../reminder.ts";
import { version } from "../version.ts";

/** `isx mcp`: serves the tools on this process's stdio until its client is gone. */
export async function serveMcp(given: Omit<ProcessFacts, "diagnose">, places: Places): Promise<void> {
  // Registrations on Linux run through sg, which forks and forwards no signal.
  const { input, output, stopped, diagnose } = ownProcess(process, { endsWithParent: true });
  const facts = { ...given, diagnose };
  const wiring = wire(facts, places);
  const { machine, settings, hostTools, audit } = wiring;
  const { clock } = machine;
  const remind = createReminder(diagnose);
  let opening: Promise<OpenSession> | undefined;
  let fields = {};
  // Loaded with the first call, so that a client that only lists tools does not wait for it.
  const session = () => {
    opening ??= import("../open-session.ts").then(({ openSession }) => openSession(facts, places, wiring));
    return opening;
  };
  const sweep = createBackgroundSweep({ clock, settings, audit, session, diagnose });
  await serveStdio({
    name: "isx",
    version,
    instructions,
    catalogue,
    prompts: [coordinate],
    addedTools: createHostToolLister(settings),
    async tools() {
      fields = { session: (await session()).holdings.session };
      return (await import("../tools.ts")).tools;
    },
    addedTool: async (name) => (await import("../host-tools/host-tool.ts")).hostTool(name),
    openContext: async () => {
      const now = await settings.read();
      remind(now);
      return { ...now, instances: await session(), hostTools, clock };
    },
    failureReply: isxFailureReply,
    audit: {
      log: audit,
      actor: "mcp",
      get fields() {
        return fields;
      },
    },
    clock,
    input,
    output,
    stopped,
    begun: sweep.begin,
    async ended() {
      await sweep.end();
      await (await opening)?.holdings.release();
    },
    diagnose,
  });
}
