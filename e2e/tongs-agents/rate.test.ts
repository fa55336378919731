import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { TestClient } from "../shared/test-client.ts";
import {
  childrenOf,
  paneOf,
  profileToml,
  scriptedProfile,
  spawnScripted,
  untilShown,
} from "./scripted-agents.ts";
import { createStage, type Stage, spawnWorker } from "./stage.ts";
import { createWorld, runProgram, until, type World } from "./world.ts";

vi.setConfig({ testTimeout: 120_000 });

let world: World;
afterEach(() => world.close());

async function setStage(
  perMinute: number,
  more: (world: World) => string = () => "",
  control = "",
): Promise<Stage> {
  world = createWorld();
  return createStage({ world, control: `mcp_rate_per_minute = ${perMinute}\n${control}`, more: more(world) });
}

const blank = (world: World) => world.workerProfile("blank", 'mcp_control = true\nharness = "claude"');
const send = (client: TestClient, launchId: string, text: string) =>
  client.call("agents_send", { launch_id: launchId, text });
const limited = { ok: false, outcome: "rate-limited", exit_code: 5, code: "rate-limited" };

/** The window file of the caller. */
const windowFile = (caller: string, kind: "send" | "spawn") =>
  join(world.env["XDG_RUNTIME_DIR"] ?? "", "tongs-agents", "mcp-rate", `${caller}.${kind}.json`);

/** Milliseconds since boot, which nobody's clock setting moves. */
const sinceBoot = () => Math.floor(Number(process.hrtime.bigint() / 1_000_000n));
const bootId = () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();

/** Puts as many calls as given into the window, each this many milliseconds ago. */
function writeWindow(caller: string, agesMs: readonly number[], boot = bootId()): void {
  const slots = agesMs.map((age, index) => ({ id: `${index}`, at: sinceBoot() - age }));
  const path = windowFile(caller, "send");
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify({ schema: 1, boot_id: boot, slots }));
}

it("T-16 of 20 sends at once from two servers of one caller exactly 6 are typed, and the others say when to retry", async () => {
  const { shell, client, worker } = await setStage(6);
  const second = await shell.connect();
  await second.initialize();
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index};`);
  const replies = await Promise.all(
    texts.map((text, index) => send(index % 2 ? client : second, worker, text)),
  );
  const typed = texts.filter((_, index) => replies[index]?.["ok"] === true);
  expect(typed).toHaveLength(6);
  const read = world
    .workerBytes()
    .toString()
    .split(/(?<=\r)/);
  expect(read.sort()).toEqual(typed.map((text) => `\u001b[200~${text}\u001b[201~\r`).sort());
  for (const reply of replies.filter((each) => !each["ok"])) {
    expect(reply).toMatchObject(limited);
    expect(reply["retry_after_s"]).toBeGreaterThan(40);
    expect(reply["retry_after_s"]).toBeLessThanOrEqual(60);
    expect(reply["error"]).toMatch(/Call again in \d+ seconds\.$/);
  }
  const lines = world.auditLines().filter((line) => line["action"] === "send");
  expect(lines.filter((line) => line["outcome"] === "rate-limited")).toHaveLength(14);
});

it("T-16 sends and spawns are counted apart, and a restarted server counts on", async () => {
  const { shell, client, worker } = await setStage(1);
  expect(await client.call("agents_spawn", { profile: "worker" })).toMatchObject(limited);
  expect(await send(client, worker, "one")).toMatchObject({ ok: true });
  client.close();
  const next = await shell.connect();
  await next.initialize();
  expect(await send(next, worker, "two")).toMatchObject(limited);
  expect(await next.call("agents_spawn", { profile: "worker" })).toMatchObject(limited);
});

it("T-16 refusals by dialog, mode, text and profile, and an unreachable multiplexer, give their slot back", async () => {
  const { client, worker } = await setStage(
    2,
    (world) => scriptedProfile(world, "asks"),
    "mcp_any_target = true",
  );
  const asks = await spawnScripted(world, client, "asks");
  expect(await send(client, asks, "ask")).toMatchObject({ ok: true });
  await untilShown(world, asks, "Do you want to proceed?");
  const pane = paneOf(world, worker);
  world.tmux("copy-mode", "-t", pane);
  const far = await launchElsewhere();
  renameSync(far.socket, `${far.socket}.away`);
  for (let round = 0; round < 3; round += 1) {
    expect(await send(client, asks, "1")).toMatchObject({ outcome: "refused", code: "dialog-open" });
    expect(await send(client, worker, "no")).toMatchObject({ outcome: "refused", code: "pane-in-mode" });
    expect(await send(client, worker, "\u001b")).toMatchObject({ outcome: "refused", code: "text-unsafe" });
    expect(await send(client, far.launch, "no")).toMatchObject({ outcome: "error", exit_code: 7 });
  }
  world.tmux("send-keys", "-t", pane, "-X", "cancel");
  expect(await send(client, worker, "yes")).toMatchObject({ ok: true });
  expect(await send(client, worker, "over")).toMatchObject(limited);
  renameSync(`${far.socket}.away`, far.socket);
  await far.close();
});

it("T-16 an agent that dies at once uses its slot, a refused profile does not", async () => {
  const dies = profileToml("dies", ["/bin/sh", "-c", "exit 1"]);
  const { client } = await setStage(
    2,
    (world) => dies + world.workerProfile("lost", 'mcp_control = true\ncwd = "/nowhere"'),
  );
  for (const profile of ["lost", "unknown", "lost"]) {
    expect(await client.call("agents_spawn", { profile })).toMatchObject({ outcome: "refused" });
  }
  expect(await client.call("agents_spawn", { profile: "dies" })).toMatchObject({ outcome: "exited" });
  expect(await client.call("agents_spawn", { profile: "worker" })).toMatchObject(limited);
});

it("T-16 calls to different panes overlap in time, and a cancelled one that typed nothing gives its slot back", async () => {
  const { client, lead, worker } = await setStage(2, blank);
  const slow = client.start("agents_send", {
    launch_id: await spawnWorker(world, client, "blank"),
    text: "a",
  });
  slow.reply.catch(() => {}); // A cancelled call is not answered.
  await until(() => readWindow(lead).length === 1, 10_000, "the slow call took its slot");
  expect(await send(client, worker, "b")).toMatchObject({ ok: true });
  expect(await send(client, worker, "c")).toMatchObject(limited);
  expect(client.answered.has(slow.id)).toBe(false);
  client.cancel(slow.id);
  await until(() => readWindow(lead).length === 1, 5_000, "the slot came back");
  expect(await send(client, worker, "d")).toMatchObject({ ok: true });
  expect(world.workerBytes("blank").length).toBe(0);
});

it("T-16 the slot of a server that was killed in the middle of a call stays used until its window is over", async () => {
  const { shell, client, lead, worker } = await setStage(1, blank);
  rmSync(windowFile(lead, "spawn")); // The stage used the only spawn.
  const target = await spawnWorker(world, client, "blank");
  const killed = send(client, target, "a").catch((error: unknown) => error);
  await until(() => readWindow(lead).length === 1, 10_000, "the call took its slot");
  for (const pid of childrenOf(world.record(lead).process?.pid)) process.kill(pid, "SIGKILL");
  expect(await killed).toBeInstanceOf(Error);
  const next = await shell.connect();
  await next.initialize();
  expect(await send(next, worker, "b")).toMatchObject(limited);
  writeWindow(
    lead,
    readWindow(lead).map(() => 60_000),
  );
  expect(await send(next, worker, "c")).toMatchObject({ ok: true });
});

it("T-16 a slot is free after 60 s since boot and not before, whatever the wall clock says, and at the next boot", async () => {
  const { client, lead, worker } = await setStage(3);
  const before = sinceBoot();
  expect(await send(client, worker, "timed")).toMatchObject({ ok: true });
  const at = (readWindow(lead)[0] as { at: number }).at;
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(sinceBoot());

  writeWindow(lead, [50_000, 1_000, 30_000]);
  const reply = await send(client, worker, "early");
  expect(reply).toMatchObject(limited);
  expect(reply["retry_after_s"]).toBeGreaterThanOrEqual(5);
  expect(reply["retry_after_s"]).toBeLessThanOrEqual(10);
  writeWindow(lead, [60_000, 1_000, 30_000]);
  expect(await send(client, worker, "late")).toMatchObject({ ok: true });
  expect(await send(client, worker, "over")).toMatchObject(limited);
  writeWindow(lead, [1, 1, 1], "11111111-2222-3333-4444-555555555555");
  expect(await send(client, worker, "after a boot")).toMatchObject({ ok: true });
});

it("T-16 a window file that cannot be believed refuses instead of counting anew", async () => {
  const { client, lead, worker } = await setStage(3);
  const path = windowFile(lead, "send");
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const hostile: readonly (() => void)[] = [
    () => writeFileSync(path, "{}"),
    () => writeFileSync(path, ""),
    () => symlinkSync("/dev/null", path),
    () => mkdirSync(path),
    () => writeWindow(lead, [-60_000]),
  ];
  for (const make of hostile) {
    rmSync(path, { recursive: true, force: true });
    make();
    const reply = await send(client, worker, "no");
    expect(reply, String(make)).toMatchObject({ outcome: "refused", code: "rate-window-damaged" });
  }
  expect(world.workerBytes().length).toBe(0);
});

function readWindow(caller: string): unknown[] {
  try {
    return (JSON.parse(readFileSync(windowFile(caller, "send"), "utf8")) as { slots: unknown[] }).slots;
  } catch {
    return []; // Not written yet.
  }
}

/** A worker that a person launched on another tmux server. */
async function launchElsewhere() {
  const socket = join(world.root, "elsewhere");
  const config = join(world.root, "elsewhere.toml");
  writeFileSync(config, `[workspace]\nsocket = ${JSON.stringify(socket)}\n${world.workerProfile()}`);
  const ran = await world.cli(["launch", "worker", "--json"], { env: { TONGS_AGENTS_CONFIG: config } });
  return {
    socket,
    launch: (JSON.parse(ran.stdout) as { launch_id: string }).launch_id,
    close: () => runProgram(["tmux", "-S", socket, "kill-server"], { env: world.env, input: "" }),
  };
}
