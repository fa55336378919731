import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@agent-control/system";
import { expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { createIncus } from "../src/create-incus.ts";
import { projectOf, socketPathOf } from "../src/socket-path.ts";
import { leaveDeadSocket } from "./dead-socket.ts";
import { say, scriptedDaemon } from "./scripted-daemon.ts";

const server = { metadata: { auth: "trusted", environment: { server_version: "6.0.4" } } };

function temporarySocket(): string {
  const directory = mkdtempSync(join(tmpdir(), "incus-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, "unix.socket");
}

function clientOf(socketPath: string) {
  return createIncus({ socketPath, project: "default", clock: createClock() });
}

it("finds socket and project by the environment", () => {
  expect(socketPathOf({ INCUS_SOCKET: "/a", INCUS_DIR: "/b" })).toBe("/a");
  expect(socketPathOf({ INCUS_SOCKET: "", INCUS_DIR: "/b" })).toBe("/b/unix.socket");
  expect(socketPathOf({})).toBe("/var/lib/incus/unix.socket");
  expect([projectOf({ INCUS_PROJECT: "p" }), projectOf({})]).toEqual(["p", "default"]);
});

it("X-12 says how to install or start a daemon that has no socket", async () => {
  await expect(clientOf(temporarySocket()).server()).rejects.toMatchObject({
    outcome: "unavailable",
    code: "incus-missing",
    next: "Install it (`sudo apt install incus`) or start it (`sudo systemctl start incus`)",
  });
});

it("X-12 says how to start a daemon that was killed", async () => {
  const socketPath = temporarySocket();
  await leaveDeadSocket(socketPath);
  await expect(clientOf(socketPath).server()).rejects.toMatchObject({
    outcome: "unavailable",
    code: "incus-stopped",
    next: "Start it (`sudo systemctl start incus`), then try again",
  });
});

it("X-12 sends a user without the right to the group incus-admin", async () => {
  const { incus, directory } = await scriptedDaemon(({ response }) => say(response, server));
  const isRoot = process.geteuid?.() === 0;
  chmodSync(directory, isRoot ? 0o700 : 0);
  if (isRoot) process.seteuid?.(65_534);
  try {
    await expect(incus.server()).rejects.toMatchObject({
      outcome: "unavailable",
      code: "incus-closed",
      next: "Join the group incus-admin (`sudo usermod -aG incus-admin $USER`) and start again from a new login",
    });
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(directory, 0o700);
  }
});

it("reaches a socket whose path has odd characters, by HTTP and by WebSocket", async () => {
  const daemon = await scriptedDaemon(({ response }) => say(response, server), "a:b c?#%20é.sock");
  const sockets = new WebSocketServer({ server: daemon.server });
  expect(await daemon.incus.server()).toMatchObject({ version: "6.0.4", trusted: true });
  const stop = new AbortController();
  const first = await new Promise((resolve) => {
    daemon.incus.listen(["lifecycle"], resolve, stop.signal);
  });
  stop.abort();
  sockets.close();
  expect(first).toEqual({ type: "gap" });
});

it("X-87 asks again when a kept connection turns out to be dead", async () => {
  let requests = 0;
  const daemon = await scriptedDaemon(({ request, response }) => {
    requests += 1;
    if (requests === 2) request.socket.destroy();
    else say(response, server);
  });
  await daemon.incus.server();
  expect(await daemon.incus.server()).toMatchObject({ version: "6.0.4" });
  expect(daemon.asked).toHaveLength(3);
});

it("X-87 sends nothing twice that changes something", async () => {
  const daemon = await scriptedDaemon(({ method, request, response }) => {
    if (method === "GET") say(response, server);
    else request.socket.destroy();
  });
  await daemon.incus.server();
  await expect(daemon.incus.instances.start("web")).rejects.toMatchObject({
    outcome: "unavailable",
    code: "incus-unreachable",
  });
  expect(daemon.asked).toEqual(["GET /1.0", "PUT /1.0/instances/web/state"]);
});

it.each([
  { what: "no JSON", text: "<html>" },
  { what: "other JSON", text: '{"type":"other"}' },
  { what: "nothing", text: "" },
  { what: "metadata of another shape", text: '{"type":"sync","metadata":{"environment":7}}' },
])("says that it cannot read an answer that is $what", async ({ text }) => {
  const { incus } = await scriptedDaemon(({ response }) => response.end(text));
  await expect(incus.server()).rejects.toMatchObject({ outcome: "error", code: "incus-unreadable" });
});

it("says that an answer ended in the middle", async () => {
  const { incus } = await scriptedDaemon(({ request, response }) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("{", () => request.socket.destroy());
  });
  await expect(incus.server()).rejects.toMatchObject({ outcome: "unavailable", code: "incus-unreachable" });
});

it("ends a request that hangs when it is cancelled", async () => {
  const stop = new AbortController();
  const { incus } = await scriptedDaemon(() => stop.abort());
  await expect(incus.server(stop.signal)).rejects.toMatchObject({ outcome: "cancelled" });
});

it("lets a daemon that does not know the user answer", async () => {
  const metadata = { auth: "untrusted", api_extensions: null };
  const { incus } = await scriptedDaemon(({ response }) => say(response, { metadata }));
  expect(await incus.server()).toMatchObject({ trusted: false, version: "" });
});
