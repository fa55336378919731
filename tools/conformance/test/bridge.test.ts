import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

interface Bridge {
  readonly url: string;
  close(): Promise<void>;
}
interface BridgeModule {
  startBridge(command: readonly string[]): Promise<Bridge>;
}

let bridge: Bridge;
beforeAll(async () => {
  const { startBridge }: BridgeModule = await import(new URL("../src/bridge.mjs", import.meta.url).href);
  const server = fileURLToPath(new URL("fixtures/echoes-messages.mjs", import.meta.url));
  bridge = await startBridge([process.execPath, server]);
});
afterAll(() => bridge.close());

const post = (message: object, headers: Record<string, string> = {}) =>
  fetch(bridge.url, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...message }) });

interface Echo {
  readonly result: { readonly message: object; readonly pid: number };
}

async function echoOf(response: Promise<Response> | Response): Promise<Echo> {
  return (await (await response).json()) as Echo;
}

/** The status that a raw request gets; `fetch` would not let us choose the host. */
function statusWith(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(bridge.url, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject);
    sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }));
  });
}

it("C-20 keeps one server process for a session and passes messages through untouched", async () => {
  const opening = await post({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } });
  const session = { "mcp-session-id": opening.headers.get("mcp-session-id") ?? "" };
  const { result } = await echoOf(opening);
  const second = await (
    await post({ id: "a", method: "tools/list", params: { cursor: "x" } }, session)
  ).json();
  expect(second).toEqual({
    jsonrpc: "2.0",
    id: "a",
    result: { message: { jsonrpc: "2.0", method: "tools/list", params: { cursor: "x" } }, pid: result.pid },
  });
  expect((await post({ method: "notifications/initialized" }, session)).status).toBe(202);
  expect((await fetch(bridge.url, { method: "DELETE", headers: session })).status).toBe(200);
  expect((await post({ id: 1, method: "ping" }, session)).status).toBe(404);
});

it("C-20 gives a request without a session a process of its own", async () => {
  const echoes = await Promise.all([1, 2].map((id) => echoOf(post({ id, method: "ping" }))));
  const pids = echoes.map(({ result }) => result.pid);
  expect(pids[0]).not.toBe(pids[1]);
});

it("C-23 sends the notifications of a request before its answer", async () => {
  const response = await post({ id: 1, method: "tools/call", params: { _meta: { progressToken: 5 } } });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect((await response.text()).match(/"progressToken":5|"result"/g)?.slice(0, 2)).toEqual([
    '"progressToken":5',
    '"result"',
  ]);
});

it("refuses other hosts and origins, so that no web page reaches the server", async () => {
  const { host } = new URL(bridge.url);
  expect(await statusWith({ host, origin: `http://${host}` })).toBe(200);
  expect(await statusWith({ host, origin: "http://example.com" })).toBe(403);
  expect(await statusWith({ host: "example.com" })).toBe(403);
});
