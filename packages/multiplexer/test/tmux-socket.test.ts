import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTmux, tmuxSocket } from "../src/index.ts";
import { realPorts, startTmuxBench } from "./real-tmux.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sockets-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const socketOf = (socket: string, env = {}) => tmuxSocket({ socket, env, uid: 1000 });

it("names the sockets that tmux itself would use", () => {
  expect(socketOf("")).toBe("/tmp/tmux-1000/default");
  expect(socketOf("work")).toBe("/tmp/tmux-1000/work");
  expect(socketOf("work", { TMUX_TMPDIR: "/run/user/1000" })).toBe("/run/user/1000/tmux-1000/work");
  expect(socketOf("", { TMUX_TMPDIR: "" })).toBe("/tmp/tmux-1000/default");
  expect(socketOf("/run/a socket", { TMUX_TMPDIR: "/x" })).toBe("/run/a socket");
});

it("refuses what is neither a name nor an absolute path", () => {
  for (const socket of ["a/b", "./a", "..", "."]) {
    expect(() => socketOf(socket)).toThrow(expect.objectContaining({ outcome: "usage", code: "bad-socket" }));
  }
});

it("C-06 names the length of a socket path that the kernel could not take", () => {
  expect(socketOf(`/${"x".repeat(106)}`)).toHaveLength(107);
  const tooLong = expect.objectContaining({
    code: "socket-path-too-long",
    message: expect.stringContaining("108"),
  });
  expect(() => socketOf(`/${"x".repeat(107)}`)).toThrow(tooLong);
  expect(() => socketOf("é", { TMUX_TMPDIR: `/${"d".repeat(94)}` })).toThrow(/108 bytes/);
});

it("C-06 reaches one server through a symlink under its real path, however long the link is", async () => {
  const bench = await startTmuxBench();
  const link = join(directory, "l".repeat(120));
  symlinkSync(bench.socket, link);
  const { session } = await bench.multiplexer.createSession({
    socket: bench.socket,
    name: "w",
    argv: bench.idle,
  });
  expect(await bench.multiplexer.sessions(link)).toEqual([session]);
  await bench.stop();
});

it("makes the directory of a new default socket, for this user only", async () => {
  const bench = await startTmuxBench();
  const socket = tmuxSocket({ socket: "", env: { TMUX_TMPDIR: bench.directory }, uid: 0 });
  const pane = await bench.multiplexer.createSession({ socket, name: "work", argv: bench.idle });
  const server = await bench.multiplexer.server(socket);
  expect(pane.session.socket).toBe(socket);
  if (server) process.kill(server.pid, "SIGKILL");
  await bench.stop();
});

it("T-12 talks to nothing that is not a socket, and to no socket where others can write", async () => {
  const tmux = await createTmux(realPorts(process.env));
  const file = join(directory, "file");
  writeFileSync(file, "");
  await expect(tmux.server(file)).rejects.toMatchObject({ outcome: "refused", code: "not-a-socket" });
  const open = join(directory, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);
  const session = { socket: join(open, "socket"), name: "w", argv: ["sleep", "1000"] };
  await expect(tmux.createSession(session)).rejects.toMatchObject({ code: "open-socket-directory" });
  expect(existsSync(session.socket)).toBe(false);
});

it("T-13 sees no server behind a socket that nobody listens on, and starts none", async () => {
  const bench = await startTmuxBench();
  await bench.multiplexer.createSession({ socket: bench.socket, name: "w", argv: bench.idle });
  await bench.killServer();
  expect(existsSync(bench.socket)).toBe(true);
  expect(await bench.multiplexer.sessions(bench.socket)).toEqual([]);
  expect(await bench.multiplexer.server(bench.socket)).toBeUndefined();
  await bench.stop();
});

it("T-13 says unavailable of a listener that is no tmux", async () => {
  const socket = join(directory, "other");
  const server = createServer((connection) => connection.resume().end("hello\n"));
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const tmux = await createTmux({ ...realPorts(process.env), timeoutMs: 2_000 });
  await expect(tmux.panes({ socket, id: "$0", name: "w" })).rejects.toMatchObject({ outcome: "unavailable" });
  await new Promise((resolve) => server.close(resolve));
});
