import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { driveServer, type ServerDriver } from "../src/testing.ts";
import { type BuiltFixture, buildFixture } from "./built-fixture.ts";

let fixture: BuiltFixture;
beforeAll(async () => {
  fixture = await buildFixture();
});
afterAll(() => fixture.remove());

async function opened(): Promise<ServerDriver> {
  const server = fixture.start();
  await server.initialize();
  return server;
}

const clean = { code: 0, signal: null };
const initialize = {
  jsonrpc: "2.0",
  id: "open",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "pipe", version: "1" } },
};
const call = (id: number, name: string, args: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});
const asLines = (messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join("");
const idsOf = (server: ServerDriver) => server.lines.map((line) => JSON.parse(line).id);

/** Runs `end` and resolves with how the server went and how many milliseconds it took. */
async function ending(server: ServerDriver, end: () => void) {
  const started = performance.now();
  end();
  const exit = await server.exited;
  return { exit, ms: performance.now() - started };
}

const ends: [string, (server: ServerDriver) => void][] = [
  ["end of input", (server) => server.process.stdin.end()],
  ["SIGINT", (server) => server.process.kill("SIGINT")],
  ["SIGTERM", (server) => server.process.kill("SIGTERM")],
  ["SIGHUP", (server) => server.process.kill("SIGHUP")],
  [
    "SIGINT twice, SIGTERM and end of input at once",
    (server) => {
      for (const name of ["SIGINT", "SIGINT", "SIGTERM"] as const) server.process.kill(name);
      server.process.stdin.end();
    },
  ],
];

describe.each(ends)("at %s", (_title, end) => {
  it("C-24 exits with 0 at once when idle", async () => {
    const server = await opened();
    const { exit, ms } = await ending(server, () => end(server));
    expect(exit).toEqual(clean);
    expect(ms).toBeLessThan(1000);
  });

  it("C-24 answers a pending wait as cancelled, audits it, and is gone within a second", async () => {
    const server = await opened();
    const pending = server.call("wait_long", { ms: 600_000 });
    await server.call("add_numbers", { a: 1 });
    const { exit, ms } = await ending(server, () => end(server));
    expect(await pending).toEqual({
      isError: true,
      structured: undefined,
      text: "The call was cancelled. Call again if the answer is still wanted.",
    });
    expect(server.diagnostics()).toMatch(/AUDIT .*"action":"wait".*"outcome":"cancelled","exit_code":130/);
    expect(exit).toEqual(clean);
    expect(ms).toBeLessThan(1000);
  });

  it("C-24 answers a quick call that it accepted", async () => {
    const server = await opened();
    const quick = server.call("take_time", { ms: 600 });
    await server.call("add_numbers", { a: 1 });
    const { exit } = await ending(server, () => end(server));
    expect(await quick).toMatchObject({ structured: { took_ms: 600 } });
    expect(exit).toEqual(clean);
  });
});

describe("the drain", () => {
  it("C-24 answers everything of a one-shot pipe, in which the server's parts are still being loaded", async () => {
    const server = fixture.start();
    server.send(
      asLines([
        initialize,
        { jsonrpc: "2.0", id: "list", method: "tools/list" },
        call(1, "add_numbers", { a: 1 }),
        call(2, "take_time", { ms: 200 }),
        call(3, "wait_long", { ms: 600_000 }),
      ]),
    );
    const { exit, ms } = await ending(server, () => server.process.stdin.end());
    expect(idsOf(server).sort()).toEqual([1, 2, 3, "list", "open"]);
    expect(exit).toEqual(clean);
    expect(ms).toBeLessThan(1500);
  });

  it("C-24 cancels a call that takes too long, and answers it within two seconds", async () => {
    const server = await opened();
    const long = server.call("take_time", { ms: 600_000 });
    await server.call("add_numbers", { a: 1 });
    const { exit, ms } = await ending(server, () => server.process.stdin.end());
    expect(await long).toMatchObject({ isError: true, text: expect.stringContaining("was cancelled") });
    expect(exit).toEqual(clean);
    expect(ms).toBeLessThan(2200);
  });

  it("C-24 leaves a call behind that does not heed its cancelling", async () => {
    const server = await opened();
    const deaf = server.call("take_time", { ms: 600_000, heed: false });
    const unanswered = expect(deaf).rejects.toThrow("exited");
    await server.call("add_numbers", { a: 1 });
    const { exit, ms } = await ending(server, () => server.process.stdin.end());
    await unanswered;
    expect(exit).toEqual(clean);
    expect(ms).toBeLessThan(2300);
  });

  it("C-24 does not wait for a client that reads nothing", async () => {
    const server = await opened();
    server.process.stdout.pause();
    for (let id = 1; id <= 400; id += 1) server.send({ jsonrpc: "2.0", id, method: "tools/list" });
    const { exit, ms } = await ending(server, () => {
      server.process.stdin.end();
      // Node tells that a process is gone only when its output has been read.
      server.process.stderr.once("end", () => server.process.stdout.resume());
    });
    expect(exit).toEqual(clean);
    expect(ms).toBeLessThan(2500);
  });

  it("C-24 ends cleanly, with running calls cancelled, when nobody reads its output any more", async () => {
    const server = await opened();
    void server.call("wait_long", { ms: 600_000 }).catch(() => {});
    await server.call("add_numbers", { a: 1 });
    const { exit, ms } = await ending(server, () => {
      server.process.stdout.destroy();
      server.notify("notifications/initialized");
      server.send({ jsonrpc: "2.0", id: "last", method: "ping" });
    });
    expect(exit).toEqual(clean);
    expect(ms).toBeLessThan(1000);
    expect(server.diagnostics()).toContain('"outcome":"cancelled"');
  });

  it("C-24 goes on when nobody reads its diagnostics", async () => {
    const server = await opened();
    server.process.stderr.destroy();
    await server.call("misbehave", { how: "throw" });
    await server.call("misbehave", { how: "throw" });
    expect(await server.close()).toEqual(clean);
  });

  it.each(["works", "fails", "hangs"])(
    "lets go of what the session holds (%s) within the drain",
    async (end) => {
      const server = fixture.start({ END: end });
      await server.initialize();
      const pending = server.call("wait_long", { ms: 600_000 });
      await server.call("add_numbers", { a: 1 });
      const { exit, ms } = await ending(server, () => server.process.stdin.end());
      expect(await pending).toMatchObject({ isError: true });
      expect(exit).toEqual(clean);
      expect(ms).toBeLessThan(1000);
      const [begun, ...rest] = server.diagnostics().match(/BEGUN|WAIT ENDED|ENDED|not ended in order/g) ?? [];
      expect(begun).toBe("BEGUN");
      expect(rest).toContain("ENDED");
      expect(rest.includes("not ended in order")).toBe(end === "fails");
    },
  );

  it("X-10 ends when its parent is gone, although its input stays open", async () => {
    const program = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, [${JSON.stringify(join(fixture.directory, "serve.js"))}],
        { stdio: ["inherit", "inherit", "inherit"], env: { PARENT: "ends", END: "works" } });
      process.stderr.write("SERVER " + child.pid + "\\n");`;
    const parent = driveServer(spawn(process.execPath, ["-e", program], { env: {} }));
    await parent.initialize();
    parent.process.kill("SIGKILL");
    await parent.diagnosed("ENDED");
    // The server holds the parent's streams: "close" comes when both are gone.
    await parent.exited;
  });

  it("C-24 leaves no server behind when its parent is killed", async () => {
    const program = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, [${JSON.stringify(join(fixture.directory, "serve.js"))}],
        { stdio: ["pipe", "ignore", "inherit"] });
      child.stdin.write(${JSON.stringify(asLines([initialize, call(1, "wait_long", { ms: 600_000 })]))});
      process.stderr.write("SERVER " + child.pid + "\\n");`;
    const parent = driveServer(spawn(process.execPath, ["-e", program], { env: {} }));
    await parent.diagnosed("SERVER ");
    const pid = /SERVER (\d+)\n/.exec(parent.diagnostics())?.[1];
    parent.process.kill("SIGKILL");
    // The server holds the parent's standard error: "close" comes when both are gone.
    await parent.exited;
    expect(isRunning(pid)).toBe(false);
  });
});

function isRunning(pid: string | undefined): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe("bad input", () => {
  const bad: [string, string | Uint8Array][] = [
    ["garbage", "not json at all\n"],
    ["an empty line", "\n\r\n   \n"],
    ["a BOM alone", "\ufeff\n"],
    ["a batch", '[{"jsonrpc":"2.0","id":90,"method":"ping"}]\n'],
    ["other JSON", 'null\n5\n"x"\n{}\n{"jsonrpc":"1.0","id":1,"method":"ping"}\n'],
    ["an answer nobody asked for", '{"jsonrpc":"2.0","id":77,"result":{}}\n'],
    ["invalid UTF-8", Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0x0a])],
    ["NUL", '\0\0{"jsonrpc":"2.0","id":91,"method":"ping"}\0\n'],
    ["ten megabytes of letters", `${"x".repeat(10_000_000)}\n`],
    ["deep nesting", `${"[".repeat(100_000)}\n`],
    ["a hostile prototype", '{"__proto__":{"jsonrpc":"2.0"},"id":92,"method":"ping"}\n'],
  ];

  let unopened: ServerDriver;
  let listening: ServerDriver;
  let calling: ServerDriver;
  beforeAll(async () => {
    unopened = fixture.start();
    listening = await opened();
    calling = await opened();
    await calling.call("add_numbers", { a: 1 });
  });

  it.each(bad)("C-24 outlives %s, at any stage, and answers nothing", async (title, line) => {
    for (const server of [unopened, listening, calling]) server.send(line);
    // The ping hands the first server over to the SDK; the second one still answers by itself.
    for (const server of [unopened, listening, calling]) {
      expect(await server.request("ping", {}, `after ${title}`)).toMatchObject({ result: {} });
      expect(idsOf(server).filter((id) => id >= 77)).toEqual([]);
    }
  });

  it("C-24 ends as usual after all of it", async () => {
    for (const server of [unopened, listening, calling]) expect(await server.close()).toEqual(clean);
  });

  it("C-24 serves a message after a BOM, with CRLF, byte by byte", async () => {
    const server = fixture.start();
    const text = `\ufeff${JSON.stringify(initialize)}\r\n${JSON.stringify(call(1, "add_numbers", { a: 41 }))}\r\n`;
    for (const byte of Buffer.from(text)) server.send(Uint8Array.of(byte));
    expect((await server.message(({ id }) => id === 1)).result).toMatchObject({
      structuredContent: { sum: 42 },
    });
  });

  it("C-24 serves a hundred messages of one write", async () => {
    const server = fixture.start();
    const ids = Array.from({ length: 100 }, (_, index) => index);
    server.send(asLines([initialize, ...ids.map((id) => call(id, "add_numbers", { a: id }))]));
    await server.close();
    expect(idsOf(server).sort()).toEqual([...ids, "open"].sort());
  });

  it("C-24 takes an argument of nine megabytes", async () => {
    const server = await opened();
    expect(await server.call("write_note", { text: "x".repeat(9_000_000) })).toMatchObject({ isError: true });
  });

  it("C-24 closes cleanly at a line over ten megabytes, after answering what it had accepted", async () => {
    const server = await opened();
    const quick = server.call("take_time", { ms: 300 });
    const { exit, ms } = await ending(server, () => server.send("x".repeat(30_000_000)));
    expect(await quick).toMatchObject({ isError: false });
    expect(exit).toEqual(clean);
    expect(ms).toBeLessThan(2500);
    expect(server.diagnostics()).toContain("longer than 10485760 bytes");
  });
});
