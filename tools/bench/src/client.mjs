import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Starts a server and speaks JSON-RPC lines with it. */
export function startServer([file, ...args], env) {
  const child = spawn(file, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  const exited = new Promise((resolve) => child.on("exit", resolve));
  const client = createClient(child.stdout, child.stdin);
  return {
    ...client,
    pid: child.pid,
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}

/** A client of a server that writes to `input` and reads from `output`. */
export function createClient(input, output) {
  const waiting = new Map();
  let lastId = 0;
  createInterface({ input }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(new Error(JSON.stringify(error)));
    else call?.resolve(result);
  });
  const write = (message) => output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method, params) => {
    lastId += 1;
    write({ id: lastId, method, params });
    return new Promise((resolve, reject) => waiting.set(lastId, { resolve, reject }));
  };
  return {
    /** Opens the connection and lists the tools; resolves when the list is there. */
    async open() {
      await request("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "bench", version: "1" },
      });
      write({ method: "notifications/initialized" });
      await request("tools/list", {});
    },
    /** Calls a tool; resolves to its structured content. */
    async call(name, args) {
      return (await request("tools/call", { name, arguments: args })).structuredContent;
    },
  };
}
