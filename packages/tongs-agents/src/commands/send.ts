import { createHash } from "node:crypto";
import { Failure } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import { sendText } from "@agent-control/fleet";
import { findProfile } from "@agent-control/policy";
import type { CommandPorts } from "../command-ports.ts";
import { onLaunch, suggestLaunches } from "../on-launch.ts";

export const send = defineCommand({
  description:
    "Pastes the text into the pane of the launch and presses Enter, after checking that the pane is that launch's. Without TEXT, or with -, the text is read from standard input until its end.",
  arguments: [
    { name: "id", summary: "Launch id, or the start of one" },
    { name: "text", summary: "The prompt; - reads standard input", optional: true },
  ],
  flags: [],
  example: "tongs-agents send k3fq 'Run the tests and tell me which fail'",
  run: async ({ arguments: { id, text }, stdin, signal, warn }, ports: CommandPorts) => {
    const isPiped = text === undefined || text === "-";
    if (isPiped && stdin.isTerminal) await warn("Type the text and end it with ^D on a line of its own");
    const prompt = isPiped ? await stdin.readText(1024 * 1024) : text;
    const { launchId, ...sent } = await onLaunch(
      ports,
      id,
      { action: "send", acting: true, fields: digestOf(prompt) },
      async (launchId, note) => {
        const profile = findProfile(await ports.config(), ports.fleet.launches.read(launchId)?.profile ?? "");
        const delivery = await sendText(ports.fleet, launchId, prompt, {
          caller: ports.caller,
          answerDialogs: profile?.mcpAnswerDialogs ?? false,
          whileWorking: profile?.mcpSendWhileWorking ?? "allow",
          turnMs: 3_000,
          signal,
        });
        note({ bytes: delivery.bytes, sha256: delivery.sha256 });
        return { launchId, ...delivery };
      },
    );
    const { landed, submitted, turnStarted, priorTurn, evidence } = sent;
    return {
      json: {
        ok: true,
        launch_id: launchId,
        bytes: sent.bytes,
        sha256: sent.sha256,
        delivery: {
          landed,
          submitted,
          turn_started: turnStarted,
          ...(priorTurn ? { prior_turn: priorTurn } : {}),
          evidence,
        },
      },
      human: `Sent ${sent.bytes} bytes to ${launchId}: ${evidence}`,
    };
  },
  suggest: suggestLaunches,
});

function digestOf(text: string) {
  if (text === "") {
    throw new Failure("usage", {
      code: "text-empty",
      message: "The text is empty",
      next: "Give a TEXT, or write it to standard input",
    });
  }
  return { bytes: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") };
}
