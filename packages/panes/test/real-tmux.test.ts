import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createActivity } from "@agent-control/activity";
import { harnesses } from "@agent-control/harness";
import { createTmux } from "@agent-control/multiplexer";
import { createMachine } from "@agent-control/system";
import { describe, expect, it, onTestFinished } from "vitest";
import { deliver, type PanePorts, type Subject } from "../src/index.ts";
import { failureOf, pasted } from "./bench.ts";

const fixture = fileURLToPath(new URL("fixtures/reads-raw.mjs", import.meta.url));
const options = { answerDialogs: false, whileWorking: "allow", readyMs: 30_000, turnMs: 0 } as const;

/** A raw reader in a pane of a private server, and ports as each process makes its own. */
async function realPane() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "panes it's ")));
  const [socket, file] = [join(root, "s"), join(root, "received")];
  const machines = [createMachine({ onError: console.error }), createMachine({ onError: console.error })];
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, LANG: "C.UTF-8" };
  const senders = machines.map(async (machine): Promise<PanePorts> => {
    const multiplexer = await createTmux({ ...machine, env, uid: process.getuid?.() ?? 0 });
    const activity = createActivity({ ...machine, directory: join(root, "fleet") });
    return { ...machine, multiplexer, activity, lockDirectory: join(root, "locks") };
  });
  const [ports, otherPorts] = await Promise.all(senders);
  if (!ports || !otherPorts) throw new Error("unreachable: two senders");
  const { multiplexer } = ports;
  const pane = await multiplexer.createSession({
    socket,
    name: "a",
    argv: [process.execPath, fixture, file],
  });
  const serverPid = (await multiplexer.server(socket))?.pid ?? 0;
  onTestFinished(() => {
    process.kill(serverPid, "SIGKILL");
    rmSync(root, { recursive: true });
  });
  const panePid = (await multiplexer.panes(pane.session))?.[0]?.pid;
  const target = { pane, serverPid, panePid };
  // Not every tmux tells whether the program asked for bracketed paste; this reader does.
  const harness = { ...harnesses.none, bracketedPaste: true };
  const subject: Subject = { target, harness, launchId: "l", isAlive: () => true };
  const shows = async () => (await multiplexer.screen(pane))?.lines.join("\n");
  await expect.poll(shows, { timeout: 8_000 }).toContain("ready");
  return {
    ...{ ports, otherPorts, subject },
    received: () => readFileSync(file, "utf8"),
    tmux: (...args: string[]) => execFileSync("tmux", ["-S", socket, ...args]),
  };
}

describe("deliver to a real tmux", () => {
  it("T-20 gives a raw-mode reader exactly the text between the markers, then Enter", async () => {
    const { ports, subject, received } = await realPane();
    const lines = [
      "-x #{pane_id} $(id);",
      "漢字 👩‍👩‍👧\t`!`",
      "",
      "x".repeat(5_000),
      "é".repeat(32_000),
      "/end;",
    ];
    const text = lines.join("\n");
    const sent = await deliver(ports, subject, `${text.replaceAll("\n", "\r\n")}\r\n`, options);
    expect(sent.bytes).toBe(Buffer.byteLength(text));
    await expect.poll(() => received().length, { timeout: 8_000 }).toBe(pasted(text).length + 1);
    expect(received() === `${pasted(text)}\r`).toBe(true);
  });

  it("T-18 keeps two senders with locks of their own apart", async () => {
    const { ports, otherPorts, subject, received } = await realPane();
    await Promise.all([
      deliver(ports, subject, "one", options),
      deliver(otherPorts, subject, "two", options),
      deliver(ports, subject, "three", options),
    ]);
    await expect.poll(() => received().split("\r").length, { timeout: 8_000 }).toBe(4);
    const prompts = ["one", "two", "three"].map((text) => `${pasted(text)}`);
    expect(received().split("\r").slice(0, -1).sort()).toEqual(prompts.sort());
  });

  it.each([
    ["in copy mode", ["copy-mode"], "pane-in-mode"],
    ["with its input off", ["select-pane", "-d"], "pane-input-off"],
    ["synchronised", ["set-option", "-w", "synchronize-panes", "on"], "pane-synchronized"],
  ])("T-19 types nothing into a pane %s", async (_what, command, code) => {
    const { ports, subject, received, tmux } = await realPane();
    tmux(...command);
    expect(await failureOf(deliver(ports, subject, "hello", options))).toMatchObject({
      outcome: "refused",
      code,
    });
    expect(received()).toBe("");
  });
});
