import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { asClaude } from "../../scripted-agent/scripted-agent.mjs";
import { createClient } from "./client.mjs";
import { ownServer, program } from "./place.mjs";
import { inTurns, median, printTable, quantile } from "./statistics.mjs";

const programs = fileURLToPath(new URL("../../../e2e/tongs-agents/programs/", import.meta.url));
/** How long a paste is left alone before Enter; part of a send by design. */
const settleMs = 250;

/** The tools of a verified caller in a real tmux (T-70). */
export async function measureTools(place, { runs = 25 }) {
  const stage = await setStage(place);
  await measureStatus(stage, runs * 4);
  await measureSend(stage, runs);
  await measureWake(stage, runs);
  stage.close();
}

async function measureStatus({ client, agent, plain }, runs) {
  const timed = async (launch_id) => {
    const started = performance.now();
    await client.call("agents_status", { launch_id });
    return performance.now() - started;
  };
  const took = await inTurns(
    { "Claude Code's looks": () => timed(agent), "no harness": () => timed(plain) },
    runs,
  );
  printTable(
    [`agents_status, ${runs} runs`, "p50 ms", "p95 ms"],
    Object.entries(took).map(([name, times]) => [name, quantile(times, 0.5), quantile(times, 0.95)]),
  );
}

/** A send next to the tmux commands that it cannot do without: two looks, one paste, one Enter. */
async function measureSend({ client, place, plain, pane }, runs) {
  const tmux = (args, input = "") => {
    const done = spawnSync("tmux", ["-u", "-S", place.socket, ...args], { env: place.env, input });
    if (done.status !== 0) throw new Error(`tmux ${args[0]}: ${done.stderr}`);
  };
  const took = await inTurns(
    {
      async send() {
        const started = performance.now();
        const sent = await client.call("agents_send", { launch_id: plain, text: "hello" });
        const ms = performance.now() - started - settleMs;
        if (!sent.ok) throw new Error(sent.error);
        // At most 60 a minute: a slot is free again when its minute is over.
        await sleep(Math.max(0, 1_010 - ms - settleMs));
        return ms;
      },
      raw() {
        const started = performance.now();
        for (let look = 0; look < 2; look += 1) tmux(["list-panes", "-s", "-F", "#{pane_id} #{pane_pid}"]);
        tmux(
          ["load-buffer", "-b", "bench", "-", ";", "paste-buffer", "-prd", "-b", "bench", "-t", pane],
          "hello",
        );
        tmux(["send-keys", "-t", pane, "Enter"]);
        return performance.now() - started;
      },
    },
    runs,
  );
  const [sends, raws] = [median(took.send), median(took.raw)];
  printTable(
    [`agents_send, median of ${runs}`, "ms"],
    [
      [`the call without its ${settleMs} ms of settling`, sends],
      ["raw tmux: two looks, paste, Enter", raws],
      ["overhead", sends - raws],
    ],
  );
}

/** From the moment a hook's record is on disk until the wait for it is answered. */
async function measureWake({ client, cli, records, agent }, runs) {
  const took = [];
  while (took.length < runs) {
    // A person's prompt uses up none of the caller's slots; the verb ends when the turn has begun.
    cli("send", agent, "work 1000");
    const began = Date.now();
    const waited = await client.call("agents_wait", { launch_id: agent, until: "done", timeout_s: 60 });
    const answered = Date.now();
    if (!waited.ok) throw new Error(waited.error);
    const changed = Math.max(...records().map((path) => statSync(path).mtimeMs));
    if (changed > began) took.push(answered - changed);
  }
  printTable(
    [`done on disk to agents_wait answered, ${runs} runs`, "p50 ms", "p95 ms", "most"],
    [["wake", quantile(took, 0.5), quantile(took, 0.95), Math.max(...took)]],
  );
}

async function setStage(place) {
  const { root, env } = place;
  const [leadSocket, bytes] = [join(root, "lead"), join(root, "worker.bytes")];
  const node = process.execPath;
  const profile = (name, command) =>
    `[profiles.${name}]\ncommand = ${JSON.stringify(command)}\nmcp_control = true\n`;
  place.writeConfig(
    profile("lead", [node, join(programs, "lead.mjs"), leadSocket, ...ownServer]) +
      profile("plain", [node, join(programs, "worker.mjs"), bytes]) +
      profile("agent", asClaude(join(root, "bin"), [node, program])),
  );
  const cli = (...args) => execFileSync(node, [program, ...args], { env, encoding: "utf8" });
  cli("launch", "lead");
  while (!existsSync(leadSocket)) await sleep(20);
  const connection = connect(leadSocket);
  const client = createClient(connection, connection);
  await client.open();
  const spawn = async (name) => (await client.call("agents_spawn", { profile: name })).launch_id;
  const [agent, plain] = [await spawn("agent"), await spawn("plain")];
  const state = join(env.XDG_STATE_HOME, "tongs-agents");
  const pane = JSON.parse(readFileSync(join(state, "launches", `${plain}.json`), "utf8")).pane_id;
  const fleet = join(state, "fleet");
  const records = () =>
    readdirSync(fleet)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(fleet, name));
  await client.call("agents_wait", { launch_id: agent, until: "attention", timeout_s: 30 });
  return { client, place, cli, agent, plain, pane, records, close: () => connection.end() };
}
