import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { TestClient } from "../shared/test-client.ts";
import { mcpServer } from "./agent-shell.ts";
import { fastest } from "./fastest.ts";
import { descendantsOf, isGone, type Server, startServer } from "./server.ts";
import { createStage, type Stage } from "./stage.ts";
import { filesUnder } from "./tree.ts";
import { createWorld, program, runProgram, until, type World } from "./world.ts";

const initialize = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "e2e", version: "1" },
};
const message = (id: number | string, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const longWait = (worker: string) => ({ launch_id: worker, until: "exited", timeout_s: 600 });

describe("with a wait of 600 seconds pending", () => {
  let stage: Stage;
  let runs = 0;
  beforeAll(async () => {
    stage = await createStage();
  });
  afterAll(() => stage.world.close());

  const plainly = '"$@"; echo $? >"$0"';

  /** A server below the lead, started by a shell that writes its exit code to a file when it is gone. */
  async function startBelow(script: string) {
    runs += 1;
    const file = join(stage.world.root, `exit.${runs}`);
    const leadPid = stage.world.record(stage.lead).process?.pid ?? 0;
    const before = descendantsOf(leadPid);
    const client = await stage.shell.connect({ argv: ["/bin/sh", "-c", script, file, ...mcpServer] });
    await client.initialize();
    const isNew = (pid: number) => !before.includes(pid) && argvOf(pid)[1] === program;
    const [pid] = descendantsOf(leadPid).filter(isNew);
    const exitCode = () => (existsSync(file) ? readFileSync(file, "utf8").trim() : "");
    return { client, pid: pid ?? 0, gone: () => until(() => exitCode() !== "", 10_000, "its end"), exitCode };
  }

  async function waitBegun(client: TestClient) {
    const call = client.start("agents_wait", longWait(stage.worker), { progressToken: "wait" });
    await until(() => client.notifications.length > 0, 10_000, "progress of the wait");
    return call;
  }

  interface Below {
    readonly client: TestClient;
    readonly pid: number;
  }
  const signal =
    (...names: NodeJS.Signals[]) =>
    ({ pid }: Below) => {
      for (const name of names) process.kill(pid, name);
    };
  // The fourth line is the last that the server gets: a cancellation of nothing.
  const inputEnds = 'sed -u 4q | { "$@"; echo $? >"$0"; }';
  const endInput = ({ client }: Below) => client.cancel(0);
  const ends: Record<string, readonly [string, (server: Below) => void]> = {
    "end of input": [inputEnds, endInput],
    SIGINT: [plainly, signal("SIGINT")],
    SIGTERM: [plainly, signal("SIGTERM")],
    SIGHUP: [plainly, signal("SIGHUP")],
    "SIGINT, SIGTERM and SIGHUP at once": [plainly, signal("SIGINT", "SIGTERM", "SIGHUP")],
    "SIGTERM and end of input at once": [
      inputEnds,
      (server) => {
        signal("SIGTERM")(server);
        endInput(server);
      },
    ],
  };

  it.each(Object.entries(ends))(
    "C-24 T-22 %s answers it cancelled and ends the server within a second",
    async (_, [script, end]) => {
      const took = await fastest(1000, async () => {
        const server = await startBelow(script);
        const { reply } = await waitBegun(server.client);
        const started = performance.now();
        end(server);
        expect((await reply).structuredContent).toMatchObject({ outcome: "cancelled", exit_code: 130 });
        await server.gone();
        expect(server.exitCode()).toBe("0");
        return performance.now() - started;
      });
      expect(took).toBeLessThan(1000);
      expect(stage.world.auditLines().at(-1)).toMatchObject({ action: "wait", outcome: "cancelled" });
    },
  );

  it("C-24 a second SIGINT 30 ms after the first changes nothing", async () => {
    const server = await startBelow(plainly);
    const { reply } = await waitBegun(server.client);
    process.kill(server.pid, "SIGINT");
    setTimeout(() => isGone(server.pid) || process.kill(server.pid, "SIGINT"), 30);
    expect((await reply).structuredContent).toMatchObject({ outcome: "cancelled", exit_code: 130 });
    await server.gone();
    expect(server.exitCode()).toBe("0");
  });

  it("C-24 it ends with 0, and the wait is audited as cancelled, when its reader is gone", async () => {
    const lines = stage.world.auditLines().length;
    // The reader leaves after the handshake and the first progress.
    const server = await startBelow('{ "$@"; echo $? >"$0"; } | sed -u 2q');
    const { reply } = await waitBegun(server.client);
    const unanswered = expect(reply).rejects.toThrow("closed");
    await server.gone();
    await unanswered;
    expect(server.exitCode()).toBe("0");
    expect(stage.world.auditLines().slice(lines)).toMatchObject([{ action: "wait", outcome: "cancelled" }]);
  });

  it("C-23 a status asked during a wait is answered, and a cancelled wait gets no answer", async () => {
    const { client } = stage;
    const wait = await waitBegun(client);
    expect(await client.call("agents_status", { launch_id: stage.worker })).toMatchObject({
      outcome: "unsupported",
    });
    wait.reply.catch(() => {}); // The end of the connection will tell that no answer came.
    client.cancel(wait.id);
    await until(() => stage.world.auditLines().at(-1)?.["action"] === "wait", 10_000, "the audit line");
    expect(stage.world.auditLines().at(-1)).toMatchObject({ outcome: "cancelled", exit_code: 130 });
    await client.call("fleet_status", {});
    expect(client.answered.has(wait.id)).toBe(false);
  });

  it("C-26 T-43 with Codex's reduced environment it acts on the files of its launch", async () => {
    const { HOME = "", PATH = "", SHELL = "", LANG = "", TERM = "", TMPDIR = "" } = stage.world.env;
    const passed = Object.entries({
      HOME,
      LOGNAME: "x",
      PATH,
      SHELL,
      USER: "x",
      LANG,
      LC_ALL: LANG,
      TERM,
      TMPDIR,
    });
    const variables = [...passed, ["TZ", "UTC"], ["TONGS_AGENTS_LAUNCH_ID", stage.lead]];
    const argv = [
      "/usr/bin/env",
      "-i",
      ...variables.map(([name, value]) => `${name}=${value}`),
      ...mcpServer,
    ];
    const client = await stage.shell.connect({ argv });
    await client.initialize();
    expect(await client.toolNames()).toHaveLength(9);
    const sent = await client.call("agents_send", { launch_id: stage.worker, text: "reduced" });
    expect(sent).toMatchObject({ ok: true });
    expect(stage.world.auditLines().at(-1)).toMatchObject({ actor: `mcp:${stage.lead}`, action: "send" });
    client.close();
  });

  it("C-26 C-07 a server of a launch that only lists writes nothing, twice at once", async () => {
    const before = filesUnder(stage.world.root);
    const clients = await Promise.all([stage.shell.connect(), stage.shell.connect()]);
    for (const client of clients) await client.initialize();
    for (const client of clients) expect(await client.toolNames()).toHaveLength(9);
    for (const client of clients) client.close();
    expect(filesUnder(stage.world.root)).toEqual(before);
  });

  it("C-07 nothing was written outside the state and run-time directories", () => {
    const { root, env, stateDirectory } = stage.world;
    const written = Object.entries(filesUnder(env["HOME"] ?? ""))
      .filter(([path, seen]) => seen.startsWith("10") && !path.includes("worker.bytes"))
      .map(([path]) => path);
    const allowed = [stateDirectory, join(env["XDG_RUNTIME_DIR"] ?? "", "tongs-agents")];
    const config = join(env["XDG_CONFIG_HOME"] ?? "", "tongs-agents", "config.toml");
    const elsewhere = written.filter(
      (path) => !allowed.some((directory) => path.startsWith(`${directory}/`)),
    );
    expect(elsewhere).toEqual([config]);
    expect(filesUnder(join(root, "world", "tmp"))).toEqual({});
  });

  it("C-24 SIGKILL of its parent leaves no server behind", async () => {
    const leadPid = stage.world.record(stage.lead).process?.pid ?? 0;
    const client = await stage.shell.connect();
    await client.initialize();
    const { reply } = await waitBegun(client);
    const unanswered = expect(reply).rejects.toThrow("closed");
    const servers = descendantsOf(leadPid);
    expect(servers.length).toBeGreaterThanOrEqual(2);
    process.kill(leadPid, "SIGKILL");
    await until(() => servers.every(isGone), 10_000, "the end of every server");
    await unanswered;
    expect(stage.world.auditLines().at(-1)).toMatchObject({ action: "wait", outcome: "cancelled" });
  });
});

describe("outside any launch", () => {
  let world: World;
  beforeAll(() => {
    world = createWorld();
    world.writeConfig("[control]\nmcp_enabled = true\n");
  });
  afterAll(() => world.close());

  function start(env: Record<string, string> = {}): Server {
    const server = startServer({ ...world.env, ...env });
    onTestFinished(() => {
      if (!isGone(server.pid)) server.signal("SIGKILL");
    });
    return server;
  }

  it("C-24 answers everything of a one-shot pipe and ends with 0", async () => {
    const tool = (name: string, args: object) => ({ name, arguments: args });
    const input = [
      message("open", "initialize", initialize),
      message("list", "tools/list"),
      message(1, "tools/call", tool("fleet_status", {})),
      message(2, "tools/call", tool("agents_send", { launch_id: "a".repeat(26), text: "hello" })),
      message(3, "tools/call", tool("agents_wait", longWait("a".repeat(26)))),
      message(4, "tools/call", tool("fleet_status", { all: true })),
      message(5, "tools/call", tool("none", {})),
      message(6, "ping"),
    ].join("");
    const ran = await runProgram([process.execPath, program, "mcp"], { env: world.env, input });
    const answers = ran.stdout.trimEnd().split("\n").map(parsed);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5, 6, "list", "open"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
  });

  it("C-24 ends with 0 when its reader is gone, without a word", async () => {
    const server = start();
    await server.initialize();
    server.stopReading();
    await server.write(message("last", "ping"));
    await server.write(message("last", "tools/list"));
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.diagnostics()).toBe("");
  });

  const badLines: Record<string, string | Uint8Array> = {
    garbage: "}{ garbage\n",
    "a byte order mark": `\ufeff${message("marked", "ping")}`,
    "a batch": `[${message("batched", "ping").trimEnd()}]\n`,
    "an empty line": "\n\r\n \n",
    "invalid UTF-8": Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":"x","method":"'),
      Buffer.of(0xff, 0xfe, 0x0a),
    ]),
    "a NUL": '{"jsonrpc":"2.0",\u0000"id":"nul","method":"ping"}\n',
    "another version": '{"jsonrpc":"1.0","id":"old","method":"ping"}\n',
    "a number": "42\n",
    "an answer nobody asked for": '{"jsonrpc":"2.0","id":99,"result":{}}\n',
    "an unknown notification": '{"jsonrpc":"2.0","method":"notifications/unknown"}\n',
    "a deep nest": `${"[".repeat(100_000)}\n`,
    "a prototype": '{"jsonrpc":"2.0","method":"x","params":{"__proto__":{"polluted":true}}}\n',
  };

  it.each(Object.entries(badLines))(
    "C-24 goes on after %s, before and after its opening",
    async (_, bytes) => {
      const server = start();
      await server.write(bytes);
      await server.initialize();
      await server.write(bytes);
      expect(await server.toolNames()).toHaveLength(9);
      // Now behind the SDK.
      await server.call("fleet_status", {});
      await server.write(bytes);
      expect(await server.call("fleet_status", {})).toMatchObject({ total: 0 });
      server.close();
      expect(await server.exited).toEqual({ code: 0, signal: null });
      onlyProtocolLines(server);
    },
  );

  it("C-24 reads CRLF, one byte at a time, and a hundred messages at once", async () => {
    const server = start();
    for (const byte of Buffer.from(message("open", "initialize", initialize).replace("\n", "\r\n"))) {
      await server.write(Uint8Array.of(byte));
    }
    const hundred = Array.from({ length: 100 }, (_, index) => message(1_000 + index, "ping")).join("");
    await server.write(hundred.replaceAll("\n", "\r\n"));
    await until(() => server.answered.size === 101, 10_000, "a hundred and one answers");
    server.close();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    onlyProtocolLines(server);
  });

  it("C-24 answers a hundred calls that were written at once", async () => {
    const server = start();
    await server.initialize();
    const replies = Array.from({ length: 100 }, () => server.call("fleet_status", {}));
    for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ total: 0 });
    server.close();
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it("C-24 answers a line of just 10 MiB", async () => {
    const server = start();
    await server.initialize();
    const call = (text: string) =>
      message("long", "tools/call", { name: "agents_send", arguments: { launch_id: "a", text } });
    const text = "x".repeat(10 * 1024 * 1024 - call("").length + 1);
    await server.write(call(text));
    await until(() => server.output().includes('"id":"long"'), 20_000, "the answer");
    expect(await server.call("fleet_status", {})).toMatchObject({ total: 0 });
    server.close();
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it("C-24 a line of a gigabyte ends it with 0 and takes little memory", async () => {
    const server = start();
    await server.initialize();
    const megabyte = Buffer.alloc(1024 * 1024, "x");
    let peak = 0;
    for (let written = 0; written < 1024 && !isGone(server.pid); written += 1) {
      await server.write(megabyte);
      peak = Math.max(peak, peakMemory(server.pid));
    }
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.diagnostics()).toMatch(/^A line of input is longer than 10485760 bytes.*\n$/);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(160 * 1024);
  });

  it("C-24 keeps what anything else prints off standard output", async () => {
    const noise = join(world.root, "noise.cjs");
    writeFileSync(
      noise,
      "const { write } = process.stdout; setInterval(() => write !== process.stdout.write && console.log('noise'), 5).unref();",
    );
    const server = start({ NODE_OPTIONS: `--require ${noise}` });
    await server.initialize();
    await server.call("fleet_status", {});
    await until(() => server.diagnostics().includes("noise"), 10_000, "noise");
    await server.call("fleet_status", {});
    server.close();
    await server.exited;
    onlyProtocolLines(server);
  });

  it("C-26 C-07 two servers started at once list and end without leaving a trace", async () => {
    const empty = createWorld("leaves no trace");
    onTestFinished(() => empty.close());
    empty.writeConfig("[control]\nmcp_enabled = true\n");
    const cwd = join(empty.root, "cwd");
    mkdirSync(cwd);
    const before = filesUnder(empty.root);
    const servers = [1, 2].map(() => startServer(empty.env, { cwd }));
    await Promise.all(
      servers.map(async (server) => {
        await server.initialize();
        expect(await server.toolNames()).toHaveLength(9);
        server.close();
        expect(await server.exited).toEqual({ code: 0, signal: null });
        expect(server.diagnostics()).toBe("");
      }),
    );
    expect(filesUnder(empty.root)).toEqual(before);
  });

  it("C-26 starts with Codex's reduced environment, and with none at all", async () => {
    const { HOME = "", PATH = "", TMPDIR = "" } = world.env;
    for (const env of [{ HOME, PATH, TMPDIR, LANG: "C", TZ: "UTC", USER: "nobody" }, {}]) {
      const server = startServer(env);
      await server.initialize();
      expect(await server.toolNames()).toContain("fleet_status");
      server.close();
      expect(await server.exited).toEqual({ code: 0, signal: null });
      expect(server.diagnostics()).toBe("");
    }
  });
});

/** Every line that the server wrote is one JSON-RPC message. */
function onlyProtocolLines(server: Server): void {
  const output = server.output();
  expect(output).toMatch(/\n$/);
  for (const line of output.trimEnd().split("\n")) expect(parsed(line)).toMatchObject({ jsonrpc: "2.0" });
}

function parsed(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}

/** The most memory that the process ever had resident, in KiB; 0 when it is gone. */
function peakMemory(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function argvOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
}
