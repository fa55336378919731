// The main job of tongs-agents with scripted agents, printing each tool call and its reply.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, say } from "./demo-calls.mjs";
import { createPrivatePlace } from "./private-place.mjs";
import { asClaude } from "./scripted-agent/scripted-agent.mjs";

const program = fileURLToPath(new URL("../packages/tongs-agents/dist/bin.js", import.meta.url));
const lead = fileURLToPath(new URL("../e2e/tongs-agents/programs/lead.mjs", import.meta.url));

/** Runs the demonstration; throws when a call does not answer as it should. */
export async function showTongsAgents() {
  const place = makePlace();
  try {
    const launched = JSON.parse(cli(place, "launch", "lead", "--json"));
    say(
      `A person starts the lead agent in a private tmux session: launch ${launched.launch_id} ${launched.state}`,
    );
    const client = await connectTo(place.leadSocket);
    await client.open();
    const { call } = client;
    const { launch_id } = await call("agents_spawn", { profile: "worker" });
    await call("agents_send", { launch_id, text: "write hello.txt Hello from another agent" });
    await call("agents_wait", { launch_id, until: "done", timeout_s: 20 });
    await call("agents_status", { launch_id });
    await call("agents_send", { launch_id: launched.launch_id, text: "to myself" });
    say(`The worker wrote hello.txt: ${readFileSync(join(place.work, "hello.txt"), "utf8").trim()}`);
    say("The audit log tells it line by line:");
    console.log(cli(place, "audit", "show"));
    console.log(cli(place, "audit", "verify"));
    client.close();
  } finally {
    place.remove();
  }
}

function makePlace() {
  const place = createPrivatePlace("tongs-agents-demo-");
  const [leadSocket, work] = [join(place.root, "lead"), place.directory("work")];
  const leadCommand = [process.execPath, lead, leadSocket, process.execPath, program, "mcp"];
  const workerCommand = asClaude(join(place.root, "bin"), [process.execPath, program]);
  place.writeConfig(`[profiles.lead]
command = ${JSON.stringify(leadCommand)}
mcp_control = true

[profiles.worker]
command = ${JSON.stringify(workerCommand)}
cwd = ${JSON.stringify(work)}
mcp_control = true
`);
  return { ...place, leadSocket, work };
}

function cli(place, ...args) {
  const ran = spawnSync(process.execPath, [program, ...args], { env: place.env, encoding: "utf8" });
  if (ran.status !== 0)
    throw new Error(`tongs-agents ${args.join(" ")} exited with ${ran.status}: ${ran.stderr}`);
  return ran.stdout;
}

async function connectTo(path) {
  for (const end = Date.now() + 10_000; !existsSync(path); ) {
    if (Date.now() > end) throw new Error("The lead agent did not start within 10 s");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const socket = connect(path);
  return createClient(socket, socket);
}
