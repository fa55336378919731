// The main job of isx on a private Incus, printing each tool call and its reply.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, say } from "./demo-calls.mjs";
import { incusHost } from "./incus-step.mjs";

const program = fileURLToPath(new URL("../packages/isx/dist/bin.js", import.meta.url));

/** Runs the demonstration where an Incus is given or can be set up; elsewhere says the one command that would. */
export async function showIsx() {
  if (canSetUp()) await showOnOwnIncus();
  else if (process.env.INCUS_SOCKET) {
    say("On the Incus that INCUS_SOCKET names, where the template tpl-demo and isx's two bridges stay:");
    await inDirectory((root) => showOn(process.env.INCUS_SOCKET, root));
  } else
    say(
      "isx needs an Incus. On Debian 12 this command sets a private one up and shows isx on it: sudo npm start",
    );
}

async function showOnOwnIncus() {
  if (existsSync("/sys/class/net/isx0f")) {
    say(
      "isx is in use on this machine already (its bridge isx0f is there), so the demonstration leaves it alone.",
    );
    return;
  }
  say("Setting up a private Incus, which takes about a minute the first time");
  await inDirectory(async (root) => {
    try {
      await showOn(incusHost("up", root).trim(), join(root, "place"));
    } finally {
      incusHost("down", root);
    }
  });
}

/** The directory's name is short: it begins a socket's path. */
async function inDirectory(body) {
  const root = mkdtempSync("/var/tmp/isx-demo-");
  try {
    await body(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function canSetUp() {
  const isDebian =
    existsSync("/etc/os-release") && /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));
  return isDebian && process.getuid?.() === 0;
}

async function showOn(socket, home) {
  const env = environment(socket, home);
  const config = join(env.XDG_CONFIG_HOME, "incus-spawn");
  mkdirSync(join(config, "images"), { recursive: true });
  writeFileSync(
    join(config, "images", "demo.yaml"),
    "name: tpl-demo\ndescription: A small Debian\nimage: base\nnetwork: airgap\n",
  );
  say("A person prepares the host, builds a template and approves it for agents in mcp.yaml:");
  console.log(isx(env, "init"));
  console.log(isx(env, "build", "tpl-demo"));
  writeFileSync(join(config, "mcp.yaml"), "templates: [tpl-demo]\n");
  await showTools(env);
  say("The audit log tells it line by line:");
  console.log(isx(env, "audit", "show"));
}

async function showTools(env) {
  const server = spawn(process.execPath, [program, "mcp"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const { open, call, close } = createClient(server.stdout, server.stdin);
  await open();
  await call("list_templates");
  const { instance } = await call("create_instance", { template: "tpl-demo", purpose: "show isx" });
  await call("exec", { instance, command: "uname -n; id -un" });
  const command = "for i in 1 2 3; do echo step $i; sleep 0.3; done";
  const { task_id } = await call("exec", { instance, command, background: true });
  await call("wait_any");
  await call("task_result", { task_id });
  await call("destroy_instance", { instance });
  const exited = new Promise((resolve) => server.on("exit", resolve));
  close();
  await exited;
}

function environment(socket, home) {
  return {
    PATH: process.env.PATH,
    LANG: "C.UTF-8",
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_RUNTIME_DIR: join(home, "runtime"),
    INCUS_SOCKET: socket,
  };
}

function isx(env, ...args) {
  const ran = spawnSync(process.execPath, [program, ...args], { env, encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`isx ${args.join(" ")} exited with ${ran.status}: ${ran.stderr}`);
  return ran.stdout;
}
