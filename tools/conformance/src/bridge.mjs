// For tests only: puts a stdio server behind Streamable HTTP, because the conformance suite speaks nothing else.
// Messages pass through untouched. It listens on 127.0.0.1 and refuses other hosts and origins.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

/**
 * Starts the bridge. A handshake opens a session with a server process of its own; a request without a session
 * gets a process for itself, as protocol revisions without a handshake allow. Resolves with `{ url, close }`.
 */
export async function startBridge([file, ...args]) {
  const sessions = new Map();
  const open = () => openServer(file, args);
  const server = createServer((request, response) => {
    answer({ request, response, sessions, open }).catch((error) => reply(response, 500, String(error)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    close() {
      for (const child of sessions.values()) child.end();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer({ request, response, sessions, open }) {
  if (!isLocal(request)) return reply(response, 403, "only from this machine");
  const sessionId = request.headers["mcp-session-id"];
  const session = sessions.get(sessionId);
  if (sessionId !== undefined && session === undefined) return reply(response, 404, "no such session");
  if (request.method === "DELETE") {
    session?.end();
    sessions.delete(sessionId);
    return reply(response, 200, "");
  }
  if (request.method !== "POST") return reply(response, 405, "POST only");
  const message = JSON.parse(await bodyOf(request));
  if (session !== undefined) return exchange(session, message, response);
  const child = open();
  if (isHandshake(message)) {
    const id = randomUUID();
    sessions.set(id, child);
    response.setHeader("mcp-session-id", id);
    return exchange(child, message, response);
  }
  await exchange(child, message, response);
  child.end();
}

function isLocal({ headers, socket }) {
  const here = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  const { host, origin } = headers;
  return here.includes(host) && (origin === undefined || here.some((name) => origin === `http://${name}`));
}

function isHandshake({ method, params }) {
  return method === "initialize" && params?._meta?.["io.modelcontextprotocol/protocolVersion"] === undefined;
}

/** Sends a message and answers with the server's: as an event stream when notifications come before it. */
async function exchange(child, message, response) {
  if (message.id === undefined || message.method === undefined) {
    child.send(message);
    return reply(response, 202, "");
  }
  const { answer: line, before } = await child.request(message);
  if (before.length === 0) return reply(response, 200, line, "application/json");
  const events = [...before, line].map((data) => `event: message\ndata: ${data}\n\n`);
  reply(response, 200, events.join(""), "text/event-stream");
}

function openServer(file, args) {
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === undefined) {
      waiting.get(id)?.resolve(line);
      waiting.delete(id);
    } else {
      for (const one of waiting.values()) if (one.token === params?.progressToken) one.before.push(line);
    }
  });
  const gone = (error) => {
    for (const { reject } of waiting.values())
      reject(error ?? new Error("the server exited before it answered"));
  };
  child.on("error", gone);
  child.on("exit", () => gone());
  // A server that is gone makes writing fail; its exit tells it.
  child.stdin.on("error", () => {});
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  return {
    send,
    async request(message) {
      const before = [];
      const token = message.params?._meta?.progressToken;
      const answer = await new Promise((resolve, reject) => {
        waiting.set(message.id, { resolve, reject, before, token });
        send(message);
      });
      return { answer, before };
    },
    end: () => child.stdin.end(),
  };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function reply(response, status, body, type = "text/plain") {
  response.writeHead(status, { "content-type": type }).end(body);
}
