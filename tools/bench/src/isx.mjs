import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "./client.mjs";
import { inTurns, median, printTable, quantile } from "./statistics.mjs";

const program =
  process.env.ISX_PROGRAM ?? fileURLToPath(new URL("../../../packages/isx/dist/bin.js", import.meta.url));

/** The tools of isx on the Incus that INCUS_SOCKET names, next to the incus command and to bare requests. */
export async function measureIsx(place, { runs = 25 }) {
  const socket = process.env.INCUS_SOCKET;
  if (!socket) {
    console.log("Left out: INCUS_SOCKET names no Incus. Next: node tools/incus-host/incus-host.mjs up");
    return;
  }
  const stage = await setStage(place, socket);
  try {
    await measureExec(stage, runs);
    await measureCreate(stage, Math.max(9, Math.floor(runs / 2)));
    await measurePolls(stage, runs);
    await measureListing(stage, runs);
  } finally {
    await stage.close();
  }
}

async function setStage(place, socket) {
  const project = `bench-${randomBytes(4).toString("hex")}`;
  const env = { ...place.env, INCUS_SOCKET: socket, INCUS_PROJECT: project };
  const rest = restOf(socket, project);
  await rest("POST", "/1.0/projects", { name: project, config: sharesAllButInstances });
  const config = join(env.XDG_CONFIG_HOME, "incus-spawn");
  mkdirSync(join(config, "images"), { recursive: true });
  const template = "name: tpl-bench\nimage: base\nnetwork: airgap\n";
  writeFileSync(join(config, "images", "bench.yaml"), template);
  writeFileSync(join(config, "mcp.yaml"), "templates: [tpl-bench]\nmax-concurrent-tasks: 32\n");
  for (const words of [["init"], ["build", "tpl-bench"]]) run(env, process.execPath, [program, ...words]);
  const server = startServer([process.execPath, program, "mcp"], env);
  await server.open();
  const { instance } = await server.call("create_instance", { template: "tpl-bench" });
  return {
    env,
    rest,
    instance,
    call: server.call,
    async close() {
      await server.close();
      for (const { name, status } of await rest("GET", "/1.0/instances?recursion=1")) {
        if (status !== "Stopped") await stop(rest, name);
        await rest("DELETE", `/1.0/instances/${name}`);
      }
      await rest("DELETE", `/1.0/projects/${project}`);
    },
  };
}

/** Not its images, networks and pools: the bench uses what the daemon has. */
const sharesAllButInstances = {
  "features.images": "false",
  "features.profiles": "false",
  "features.networks": "false",
  "features.storage.volumes": "false",
};

async function measureExec({ env, call, instance }, runs) {
  const took = await inTurns(
    {
      "exec, by isx mcp": () => timed(() => call("exec", { instance, command: "true" })),
      "incus exec X -- bash -lc true": () =>
        timed(() => run(env, "incus", ["exec", instance, "--", "bash", "-lc", "true"])),
    },
    runs,
  );
  printRatio(`a command, median of ${runs}`, took);
}

/** Next to the requests that no way of making a usable instance can leave out: one copy that starts, and looking. */
async function measureCreate({ call, rest }, runs) {
  const took = await inTurns(
    {
      async "create_instance, by isx mcp"() {
        let made;
        const ms = await timed(async () => {
          made = await call("create_instance", { template: "tpl-bench" });
        });
        await call("destroy_instance", { instance: made.instance });
        return ms;
      },
      async "bare requests until the bus answers"() {
        const name = `bare-${randomBytes(4).toString("hex")}`;
        const source = { type: "copy", source: "tpl-bench" };
        const devices = { eth0: { type: "none" } };
        const ms = await timed(async () => {
          await rest("POST", "/1.0/instances", { name, source, devices, start: true });
          while (!(await hasBus(rest, name)));
        });
        await stop(rest, name);
        await rest("DELETE", `/1.0/instances/${name}`);
        return ms;
      },
    },
    runs,
  );
  printRatio(`an instance from a template, median of ${runs}`, took);
}

async function hasBus(rest, name) {
  const command = ["busctl", "--quiet", "status", "org.freedesktop.systemd1"];
  const request = { command, "record-output": false, "wait-for-websocket": false };
  const { metadata } = await rest("POST", `/1.0/instances/${name}/exec`, request);
  return metadata.return === 0;
}

async function measurePolls({ call, instance }, runs) {
  const task_ids = [];
  while (task_ids.length < 20) {
    const { task_id } = await call("exec", { instance, command: "sleep 600", background: true });
    task_ids.push(task_id);
  }
  const took = await inTurns(
    {
      "wait_any over 20 tasks, one poll": () => timed(() => call("wait_any", { timeout_seconds: 0 })),
      "wait_any over one of them": () =>
        timed(() => call("wait_any", { task_ids: task_ids.slice(0, 1), timeout_seconds: 0 })),
    },
    runs,
  );
  printRatio(`a poll, median of ${runs}`, took);
  for (const task_id of task_ids) await call("cancel_task", { task_id });
}

async function measureListing({ call, rest, env }, runs) {
  const config = {
    "user.incus-spawn.mcp-owner": `${process.getuid()}:bench`,
    "user.incus-spawn.mcp-state": "ready",
  };
  for (let each = 0; each < 50; each += 1) {
    const name = `listed-${each}`;
    await rest("POST", "/1.0/instances", { name, source: { type: "copy", source: "tpl-bench" }, config });
  }
  const took = await inTurns(
    {
      "list_instances beside 50 others": () => timed(() => call("list_instances", {})),
      "one bare listing of them": () => timed(() => rest("GET", "/1.0/instances?recursion=1")),
      "incus list": () => timed(() => run(env, "incus", ["list", "--format", "json"])),
    },
    runs,
  );
  printTable(
    [`a listing, ${runs} runs`, "p50 ms", "p95 ms"],
    Object.entries(took).map(([name, times]) => [name, quantile(times, 0.5), quantile(times, 0.95)]),
  );
}

function printRatio(title, took) {
  const [[ours, mine], [theirs, other]] = Object.entries(took);
  printTable(
    [title, "ms", "p95 ms"],
    [
      [ours, median(mine), quantile(mine, 0.95)],
      [theirs, median(other), quantile(other, 0.95)],
      ["ratio", median(mine) / median(other), ""],
    ],
  );
}

async function timed(body) {
  const started = performance.now();
  await body();
  return performance.now() - started;
}

function run(env, file, words) {
  const ran = spawnSync(file, words, { env, encoding: "utf8" });
  if (ran.status !== 0)
    throw new Error(`${file} ${words.join(" ")} exited with ${ran.status}: ${ran.stderr}`);
}

async function stop(rest, name) {
  await rest("PUT", `/1.0/instances/${name}/state`, { action: "stop", force: true });
}

/** One request to Incus in a project, and the wait for its operation. */
function restOf(socketPath, project) {
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const url = `${path}${path.includes("?") ? "&" : "?"}project=${project}`;
      httpRequest({ socketPath, method, path: url }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve(JSON.parse(text))).on("error", reject);
      })
        .on("error", reject)
        .end(body && JSON.stringify(body));
    });
  return async (method, path, body) => {
    const { type, metadata, error, error_code } = await send(method, path, body);
    if (type === "error" || error_code) throw new Error(`${method} ${path}: ${error}`);
    if (type !== "async") return metadata;
    const ended = await send("GET", `/1.0/operations/${metadata.id}/wait?timeout=-1`);
    if (ended.error_code) throw new Error(`${method} ${path}: ${ended.error}`);
    return ended.metadata;
  };
}
