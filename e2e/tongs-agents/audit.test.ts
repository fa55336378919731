import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestClient } from "../shared/test-client.ts";
import { mcpServer } from "./agent-shell.ts";
import { descendantsOf, isGone, serverArgv, startServer } from "./server.ts";
import { createStage, type Stage } from "./stage.ts";
import { createWorld, program, until, type World } from "./world.ts";

type Line = Readonly<Record<string, unknown>>;
const unlimited = { control: "mcp_rate_per_minute = 60\nmcp_max_agents = 200\n" };
const pendingDirectory = (world: World) => join(world.stateDirectory, "audit", "control.pending");
const pendingCalls = (world: World) =>
  existsSync(pendingDirectory(world)) ? readdirSync(pendingDirectory(world)) : [];

describe("one line for every call", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await createStage(unlimited);
  });
  afterAll(() => stage.world.close());

  /** What the lines that `act` added say. */
  async function linesOf(act: () => Promise<unknown>, count = 1) {
    const before = stage.world.auditLines().length;
    await act();
    await until(() => stage.world.auditLines().length >= before + count, 10_000, "the audit lines");
    return stage.world.auditLines().slice(before).map(said);
  }

  it("C-30 T-32 of the tools: ok, refused, failed, badly asked, cancelled", async () => {
    const { client, worker, lead } = stage;
    const actor = `mcp:${lead}`;
    const call = (tool: string, args: object) => () => client.call(tool, args);
    const line = (action: string, outcome: string, code: number, target: string | null = worker) => [
      { actor, caller: lead, action, outcome, exit_code: code, target },
    ];
    const target = { launch_id: worker };
    const send = call("agents_send", { ...target, text: "one" });
    expect(await linesOf(send)).toEqual(line("send", "ok", 0));
    const empty = call("agents_send", { ...target, text: "" });
    expect((await linesOf(empty))[0]).toMatchObject({ action: "send", target: worker });
    const unknown = "a".repeat(26);
    const elsewhere = call("agents_send", { launch_id: unknown, text: "two" });
    expect(await linesOf(elsewhere)).toMatchObject([{ action: "send", exit_code: expect.any(Number) }]);
    const spawn = call("agents_spawn", { profile: "none" });
    expect(await linesOf(spawn)).toEqual(line("spawn", "refused", 5, null));
    expect(await linesOf(call("agents_status", target))).toEqual(line("status", "unsupported", 6));
    const late = call("agents_wait", { ...target, until: "exited", timeout_s: 0 });
    expect(await linesOf(late)).toEqual(line("wait", "timeout", 3));
    const long = call("agents_wait", { ...target, timeout_s: 601 });
    expect(await linesOf(long)).toMatchObject([{ actor, action: "wait", outcome: "usage", exit_code: 2 }]);
    const cancelled = async () => {
      const wait = client.start("agents_wait", { ...target, until: "exited" }, { progressToken: 1 });
      wait.reply.catch(() => {}); // The end of the connection will tell that no answer came.
      await until(() => client.notifications.length > 0, 10_000, "progress");
      client.cancel(wait.id);
    };
    expect(await linesOf(cancelled)).toEqual(line("wait", "cancelled", 130));
  });

  it("C-30 T-32 T-26 of the driving verbs", async () => {
    const { world, worker } = stage;
    const actor = `cli:${execFileSync("id", ["-un"], { encoding: "utf8" }).trim()}`;
    const verb = (...args: string[]) => linesOf(() => world.cli(args));
    const line = { actor, caller: null, target: worker };
    expect(await verb("send", worker, "three")).toEqual([
      { ...line, action: "send", outcome: "ok", exit_code: 0 },
    ]);
    expect(await verb("agent-status", worker)).toEqual([
      { ...line, action: "status", outcome: "unsupported", exit_code: 6 },
    ]);
    expect(await verb("wait", worker, "--until", "exited", "--timeout", "0")).toEqual([
      { ...line, action: "wait", outcome: "timeout", exit_code: 3 },
    ]);
  });

  it("T-32 C-07 the text is nowhere in the program's files, whatever became of the call", async () => {
    const { world, client, worker } = stage;
    const marker = "plantedMARKERplanted";
    const target = { launch_id: worker };
    await client.call("agents_send", { ...target, text: `say ${marker}` });
    await until(() => world.workerBytes().includes(marker), 5_000, "the marker at the worker");
    await client.call("agents_send", { launch_id: "a".repeat(26), text: marker });
    await client.call("agents_send", { ...target, text: `\u0000${marker}` });
    await client.call("agents_send", { ...target, txt: marker, text: marker });
    await world.cli(["send", worker, marker]);
    await world.cli(["send", worker, "-"], { input: marker });
    await until(() => world.workerBytes().toString().split(marker).length === 4, 5_000, "three markers");
    const { XDG_RUNTIME_DIR = "" } = world.env;
    const kept = [world.stateDirectory, XDG_RUNTIME_DIR].flatMap(filesOf);
    expect(kept.map(({ path }) => path)).toContain(world.auditLog);
    expect(kept.filter(({ bytes }) => bytes.includes(marker))).toEqual([]);
    const sent = world.auditLines().findLast(({ action, actor }) => action === "send" && actor !== "mcp");
    expect(sent).toMatchObject({
      bytes: marker.length,
      sha256: createHash("sha256").update(marker).digest("hex"),
    });
  });

  it("C-08 C-30 every file of the program is 0600 and every directory 0700", () => {
    const { world } = stage;
    const runtime = join(world.env["XDG_RUNTIME_DIR"] ?? "", "tongs-agents");
    expect(modesOf(world.stateDirectory)).toEqual(new Set(["file 600", "directory 700"]));
    expect(modesOf(runtime)).toEqual(new Set(["file 600", "directory 700"]));
  });
});

it("C-30 the log is 0600 in directories of 0700, whatever the umask", async () => {
  const world = createWorld();
  try {
    world.writeConfig("[control]\nmcp_enabled = true\n");
    const argv = ["/bin/sh", "-c", 'umask 000; exec "$@"', "sh", ...serverArgv] as const;
    const server = startServer(world.env, { argv });
    await server.initialize();
    await server.call("agents_send", { launch_id: "a".repeat(26), text: "hello" });
    server.close();
    await server.exited;
    expect(world.auditLines()).toHaveLength(1);
    expect(modesOf(world.stateDirectory)).toEqual(new Set(["file 600", "directory 700"]));
  } finally {
    await world.close();
  }
});

describe("tampering", () => {
  let world: World;
  const kept = () => join(world.root, "kept");
  beforeAll(async () => {
    world = createWorld();
    world.writeConfig("[control]\nmcp_enabled = true\n");
    for (let round = 0; round < 5; round += 1) await refusedSend();
    expect(await verify()).toEqual({ code: 0, said: "5 lines are as they were written" });
    cpSync(world.stateDirectory, kept(), { recursive: true });
  });
  beforeEach(() => {
    rmSync(world.stateDirectory, { recursive: true });
    cpSync(kept(), world.stateDirectory, { recursive: true });
  });
  afterAll(() => world.close());

  async function refusedSend(): Promise<void> {
    const server = startServer(world.env);
    await server.initialize();
    await server.call("agents_send", { launch_id: "a".repeat(26), text: "hello" });
    server.close();
    await server.exited;
  }

  async function verify(...args: string[]) {
    const { code, stdout } = await world.cli(["audit", "verify", ...args]);
    return { code, said: stdout.trim() };
  }

  function rewrite(change: (lines: string[]) => string[]): void {
    const lines = readFileSync(world.auditLog, "utf8").trimEnd().split("\n");
    writeFileSync(
      world.auditLog,
      change(lines)
        .map((line) => `${line}\n`)
        .join(""),
    );
  }

  const tamperings: Record<string, readonly [(lines: string[]) => string[], string]> = {
    edited: [
      (lines) => lines.map((line, at) => (at === 2 ? line.replace("refused", "ok") : line)),
      "jsonl:3:",
    ],
    removed: [(lines) => lines.toSpliced(2, 1), "jsonl:3:"],
    swapped: [([a = "", b = "", c = "", ...rest]) => [a, c, b, ...rest], "jsonl:2:"],
    "put in twice": [(lines) => lines.toSpliced(2, 0, lines[1] ?? ""), "jsonl:3:"],
    "cut off": [(lines) => lines.slice(0, 3), "jsonl:4:"],
    "cut off, all of them": [() => [], "jsonl:1:"],
  };

  it.each(Object.entries(tamperings))(
    "C-30 audit verify names the line that was %s",
    async (_, [change, place]) => {
      rewrite(change);
      const { code, said } = await verify();
      expect(said).toContain(place);
      expect(code).toBe(1);
      const { ok, firstBad } = JSON.parse((await world.cli(["audit", "verify", "--json"])).stdout);
      expect([ok, `jsonl:${firstBad.line}:`]).toEqual([false, place]);
    },
  );

  it("C-30 audit verify still names it after more calls were logged", async () => {
    rewrite((lines) => lines.slice(0, 3));
    await refusedSend();
    const { code, said } = await verify();
    expect([code, said]).toEqual([1, expect.stringContaining("jsonl:4:")]);
  });

  it("C-30 a log rewritten whole is found only with a head that was kept elsewhere", async () => {
    const head = (await world.cli(["audit", "head"])).stdout.trim();
    expect(head).toMatch(/^5:[0-9a-f]{64}$/);
    expect(await verify("--from", head)).toMatchObject({ code: 0 });
    forge();
    expect(await verify()).toMatchObject({ code: 0 });
    const { code, said } = await verify("--from", head);
    expect([code, said]).toEqual([1, expect.stringContaining("jsonl:5:")]);
    expect((await world.cli(["audit", "verify", "--from", "5"])).code).toBe(2);
  });

  /** Changes the second line and writes the chain and the head file anew, as the log's owner can. */
  function forge(): void {
    let prev = "0".repeat(64);
    rewrite((lines) =>
      lines.map((line, at) => {
        const { hash: _, ...fields } = JSON.parse(line) as Record<string, unknown>;
        const body = JSON.stringify({ ...fields, ...(at === 1 ? { outcome: "ok" } : {}), prev });
        prev = createHash("sha256").update(body).digest("hex");
        return `${body.slice(0, -1)},"hash":"${prev}"}`;
      }),
    );
    const head = { seq: 5, hash: prev, size: statSync(world.auditLog).size };
    writeFileSync(join(world.stateDirectory, "audit", "control.head"), `${JSON.stringify(head)}\n`);
  }

  it("C-30 a line torn by a crash is closed and reported by the next call, and the chain goes on", async () => {
    appendFileSync(world.auditLog, '{"seq":6,"ts":"2026-');
    await refusedSend();
    expect(await verify()).toMatchObject({ code: 0, said: expect.stringContaining("torn") });
    rewrite((lines) => lines.map((line) => line.replace('"ts":"2026-', '"ts":"2027-')));
    expect(await verify()).toMatchObject({ code: 1 });
  });

  it("C-30 audit show prints the newest lines", async () => {
    const { stdout } = await world.cli(["audit", "show", "--lines", "2"]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(3);
    const { lines } = JSON.parse((await world.cli(["audit", "show", "-n", "2", "--json"])).stdout);
    expect(lines).toMatchObject([
      { seq: 4, action: "send", outcome: "refused" },
      { seq: 5, action: "send", outcome: "refused" },
    ]);
  });
});

describe("a log that cannot be written", () => {
  const mayMount = process.getuid?.() === 0 && canMount();
  let stage: Stage;
  let stderr: string;
  let mounted = false;

  beforeEach(async () => {
    const world = createWorld();
    if (mayMount) {
      mkdirSync(world.stateDirectory, { mode: 0o700 });
      const options = ["-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", world.stateDirectory];
      execFileSync("mount", options);
      mounted = true;
    }
    stage = await createStage({ world });
    stderr = join(world.root, "stderr");
  });
  afterEach(async () => {
    if (mounted) execFileSync("umount", ["-l", stage.world.stateDirectory]);
    mounted = false;
    await stage.world.close();
  });

  async function connect() {
    const argv = ["/bin/sh", "-c", 'exec 2>"$0"; exec "$@"', stderr, ...mcpServer];
    const client = await stage.shell.connect({ argv });
    await client.initialize();
    return client;
  }

  /** An acting call types nothing; reading calls answer, and say that they were not recorded. */
  async function expectOnlyReading(): Promise<void> {
    const { world, worker } = stage;
    const client = await connect();
    const refused = await client.call("agents_send", { launch_id: worker, text: "not recorded" });
    expect(refused).toMatchObject({ ok: false, code: "audit-unwritable", exit_code: 1 });
    expect(refused["error"]).toMatch(/^[^\n]+\.$/);
    const spawn = await client.call("agents_spawn", { profile: "worker" });
    expect(spawn).toMatchObject({ ok: false, code: "audit-unwritable" });
    expect((await world.cli(["send", worker, "not recorded"])).code).toBe(1);
    // A full disk still has room in the log's last block.
    await until(
      async () => (await statusOf(client))["audit"] === "failed",
      10_000,
      "a line that is not written",
    );
    const wait = await client.call("agents_wait", { launch_id: worker, until: "exited", timeout_s: 0 });
    expect(wait).toMatchObject({ timed_out: true, audit: "failed" });
    expect(readFileSync(stderr, "utf8")).toMatch(/A line of the audit log .*control\.jsonl was not written/);
    expect(world.workerBytes().toString()).toBe("");
    client.close();
  }

  async function statusOf(client: TestClient) {
    const status = await client.call("agents_status", { launch_id: stage.worker });
    expect(status).toMatchObject({ outcome: "unsupported" });
    return status;
  }

  async function expectActing(): Promise<void> {
    const client = await connect();
    const sent = await client.call("agents_send", { launch_id: stage.worker, text: "recorded" });
    expect(sent).toMatchObject({ ok: true });
    expect(sent).not.toHaveProperty("audit");
    expect((await stage.world.cli(["audit", "verify"])).code).toBe(0);
    client.close();
  }

  it.skipIf(!mayMount)("C-32 on a full disk nothing acts until there is room again", async () => {
    const ballast = join(stage.world.stateDirectory, "ballast");
    fill(ballast);
    await expectOnlyReading();
    rmSync(ballast);
    await expectActing();
  });

  it.skipIf(!mayMount)("C-32 on a read-only disk nothing acts until it is writable again", async () => {
    const { stateDirectory } = stage.world;
    execFileSync("mount", ["-o", "remount,ro", stateDirectory]);
    await expectOnlyReading();
    execFileSync("mount", ["-o", "remount,rw", stateDirectory]);
    await expectActing();
  });

  it("C-32 when a directory stands in its place nothing acts until it is gone", async () => {
    const { auditLog } = stage.world;
    renameSync(auditLog, `${auditLog}.away`);
    mkdirSync(auditLog);
    await expectOnlyReading();
    rmdirSync(auditLog);
    renameSync(`${auditLog}.away`, auditLog);
    await expectActing();
  });

  it("C-32 a call whose last word cannot be written keeps its outcome, with audit: failed", async () => {
    const { world, worker } = stage;
    const client = await connect();
    const send = client.call("agents_send", { launch_id: worker, text: "half recorded" });
    await until(() => pendingCalls(world).length > 0, 5_000, "the pending record");
    renameSync(world.auditLog, `${world.auditLog}.away`);
    mkdirSync(world.auditLog);
    expect(await send).toMatchObject({ ok: true, delivery: { landed: true }, audit: "failed" });
    expect(readFileSync(stderr, "utf8")).toContain("was not written");
    client.close();
  });
});

describe("a server that is killed", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await createStage({
      ...unlimited,
      more: createProfileThatIsNeverReady(),
    });
  });
  afterAll(() => stage.world.close());

  async function startBelow() {
    const leadPid = stage.world.record(stage.lead).process?.pid ?? 0;
    const before = descendantsOf(leadPid);
    const client = await stage.shell.connect();
    await client.initialize();
    const isServer = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(program);
    const [pid = 0] = descendantsOf(leadPid).filter((each) => !before.includes(each) && isServer(each));
    return { client, pid };
  }

  /** Kills a server `ms` milliseconds after it began a call; resolves to the calls that it left behind. */
  async function killDuring(tool: string, args: object, ms: number): Promise<string[]> {
    const { client, pid } = await startBelow();
    const unanswered = client.call(tool, args).catch(() => {});
    await until(() => pendingCalls(stage.world).length > 0, 10_000, "the pending record");
    await new Promise((resolve) => setTimeout(resolve, ms));
    process.kill(pid, "SIGKILL");
    await until(() => isGone(pid), 5_000, "its end");
    await unanswered;
    return pendingCalls(stage.world).map((name) => name.replace(".json", ""));
  }

  /** The next call: of a verb, or an acting one of a server that has been running all along. */
  async function speakForTheDead(round: number): Promise<void> {
    const { world, client, worker } = stage;
    if (round % 4 < 2) await world.cli(["agent-status", worker]);
    else
      expect(await client.call("agents_send", { launch_id: worker, text: "next" })).toMatchObject({
        ok: true,
      });
  }

  it("C-32 C-30 leaves one interrupted line for each call it left behind, and a sound chain, 20 times", {
    timeout: 180_000,
  }, async () => {
    const { world, worker } = stage;
    let interrupted = 0;
    for (let round = 0; round < 20; round += 1) {
      const ms = Math.round(Math.random() * 300);
      const [tool, args] =
        round % 2 === 0
          ? (["agents_spawn", { profile: "worker" }] as const)
          : (["agents_send", { launch_id: worker, text: `round ${round}` }] as const);
      const before = world.auditLines().length;
      const left = await killDuring(tool, args, ms);
      await speakForTheDead(round);
      const added = world.auditLines().slice(before);
      const said = added.filter(({ detail }) => detail === "interrupted");
      const action = tool === "agents_spawn" ? "spawn" : "send";
      const context = `${tool} killed after ${ms} ms`;
      expect(pendingCalls(world), context).toEqual([]);
      expect(
        said.map(({ call }) => call),
        context,
      ).toEqual(left);
      for (const line of said)
        expect(line, context).toMatchObject({ action, outcome: "error", exit_code: 1 });
      expect((await world.cli(["audit", "verify"])).code, context).toBe(0);
      interrupted += said.length;
    }
    expect(interrupted).toBeGreaterThanOrEqual(10);
  });

  it("C-32 reading goes on when what it left behind cannot be written down", async () => {
    const { world, worker, client } = stage;
    const { auditLog } = world;
    const left = await killedWhileSending();
    renameSync(auditLog, `${auditLog}.away`);
    mkdirSync(auditLog);
    const fresh = (await startBelow()).client;
    expect(await fresh.call("fleet_status", {})).toMatchObject({ total: 0 });
    const status = await fresh.call("agents_status", { launch_id: worker });
    expect(status).toMatchObject({ outcome: "unsupported", audit: "failed" });
    expect((await world.cli(["agent-status", worker])).code).toBe(6);
    const refused = await client.call("agents_send", { launch_id: worker, text: "not recorded" });
    expect(refused).toMatchObject({ code: "audit-unwritable" });
    rmdirSync(auditLog);
    renameSync(`${auditLog}.away`, auditLog);
    await client.call("agents_send", { launch_id: worker, text: "recorded" });
    expect(world.auditLines().slice(-2)).toMatchObject([
      { call: left, detail: "interrupted" },
      { outcome: "ok" },
    ]);
  });

  /** Kills a server in the middle of a send; resolves to the call that it left behind. */
  async function killedWhileSending(): Promise<string> {
    const { client, pid } = await startBelow();
    const unanswered = client
      .call("agents_send", { launch_id: stage.worker, text: "killed" })
      .catch(() => {});
    await until(() => pendingCalls(stage.world).length === 1, 5_000, "the pending record");
    process.kill(pid, "SIGKILL");
    await unanswered;
    return pendingCalls(stage.world)[0]?.replace(".json", "") ?? "";
  }

  it("C-32 T-32 a send that waits for its agent is on record before it types, without its text", async () => {
    const { world } = stage;
    const waiting = String((await stage.client.call("agents_spawn", { profile: "never" }))["launch_id"]);
    const { client, pid } = await startBelow();
    const marker = "plantedMARKERplanted";
    const unanswered = client.call("agents_send", { launch_id: waiting, text: marker }).catch(() => {});
    await until(() => pendingCalls(world).length === 1, 5_000, "the pending record");
    const [name = ""] = pendingCalls(world);
    const record = readFileSync(join(pendingDirectory(world), name), "utf8");
    expect(record).toContain(waiting);
    expect(record).not.toContain(marker);
    process.kill(pid, "SIGKILL");
    await unanswered;
    await world.cli(["agent-status", waiting]);
    const lines = world.auditLines().slice(-2);
    expect(lines).toMatchObject([
      { action: "send", target: waiting, outcome: "error", detail: "interrupted", bytes: marker.length },
      { action: "status", target: waiting },
    ]);
  });
});

/** A program that looks like no harness, although its profile says Claude Code: a send waits for its prompt box. */
function createProfileThatIsNeverReady(): string {
  return '[profiles.never]\ncommand = ["sleep", "600"]\nharness = "claude"\nmcp_control = true\n';
}

function said({ actor, caller, action, outcome, exit_code, target }: Line) {
  return { actor, caller, action, outcome, exit_code, target };
}

function filesOf(directory: string): { readonly path: string; readonly bytes: Buffer }[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({
      path: join(parentPath, name),
      bytes: readFileSync(join(parentPath, name)),
    }));
}

/** The kinds and modes of a directory and everything in it. */
function modesOf(directory: string): Set<string> {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  const paths = [directory, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
  return new Set(
    paths.map((path) => {
      const seen = statSync(path);
      return `${seen.isDirectory() ? "directory" : "file"} ${(seen.mode & 0o777).toString(8)}`;
    }),
  );
}

/** Takes every free byte of the file's disk. */
function fill(path: string): void {
  spawnSync("dd", ["if=/dev/zero", `of=${path}`, "bs=4096"], { stdio: "ignore" });
}

function canMount(): boolean {
  return spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;
}
