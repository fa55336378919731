import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Harness, harnesses } from "../src/index.ts";
import { opencodePlugin } from "../src/opencode-plugin.ts";
import { piExtension } from "../src/pi-extension.ts";
import type { ManagedFile } from "../src/setup.ts";

const notesItsCall = fileURLToPath(new URL("fixtures/notes-its-call.mjs", import.meta.url));
let directory = "";
let calls = "";
let program: string[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "reporters "));
  calls = join(directory, "calls it's");
  program = [process.execPath, notesItsCall, calls];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it("T-29 the opencode plugin runs the hook for every event that tells the status, in order", async () => {
  const plugin = await loadPlugin(opencodePlugin(join(directory, "plugin.mjs"), { program }));
  await plugin.event({ event: { type: "session.created", properties: { info: { id: "s1" } } } });
  await plugin["chat.message"]({ sessionID: "s1" });
  await plugin.event({
    event: { type: "session.status", properties: { sessionID: "s1", status: { type: "busy" } } },
  });
  await plugin["tool.execute.before"]({ tool: "bash", sessionID: "s1" });
  await plugin.event({ event: { type: "permission.asked", properties: { sessionID: "s1" } } });
  await plugin.event({ event: { type: "permission.replied", properties: { sessionID: "s1" } } });
  await plugin.event({ event: { type: "message.updated", properties: {} } });
  await plugin.event({ event: { type: "session.idle", properties: { sessionID: "s1" } } });
  const error = { name: "APIError", data: { message: "no credit" } };
  await plugin.event({ event: { type: "session.error", properties: { sessionID: "s1", error } } });
  expect(await readings(harnesses.opencode, 8)).toEqual([
    ["started", "", ""],
    ["working", "", ""],
    ["working", "", ""],
    ["working", "", "bash"],
    ["waiting", "permission", ""],
    ["working", "", ""],
    ["done", "", ""],
    ["error", "APIError", ""],
  ]);
});

it("T-25 opencode's own report that a failed session is idle does not hide the failure, until the next prompt", async () => {
  const plugin = await loadPlugin(opencodePlugin(join(directory, "plugin.mjs"), { program }));
  const event = (type: string, fields: object) =>
    plugin.event({ event: { type, properties: { sessionID: "s1", ...fields } } });
  await event("session.error", { error: { name: "MessageAbortedError", data: { message: "Aborted" } } });
  await event("session.idle", {});
  await event("session.idle", {});
  await plugin["chat.message"]({ sessionID: "s1" });
  await event("question.asked", {});
  await event("session.idle", {});
  expect(await readings(harnesses.opencode, 4)).toEqual([
    ["done", "interrupted", ""],
    ["working", "", ""],
    ["waiting", "choice", ""],
    ["done", "", ""],
  ]);
});

it("counts only the permissions of an opencode subagent, for the session that started it", async () => {
  const plugin = await loadPlugin(opencodePlugin(join(directory, "plugin.mjs"), { program }));
  await plugin.event({
    event: { type: "session.created", properties: { info: { id: "child", parentID: "s1" } } },
  });
  await plugin.event({ event: { type: "session.idle", properties: { sessionID: "child" } } });
  await plugin.event({ event: { type: "permission.asked", properties: { sessionID: "child" } } });
  await noted(1);
  expect(callLines()[0]).toMatchObject({
    args: ["hook", "permission.asked", "--agent", "opencode"],
    input: { session_id: "s1", cwd: "/home/me/shop" },
  });
});

it("T-29 the Pi extension runs the hook for its session, its turns and its tools, and waits for the last", async () => {
  const { emit } = await loadExtension(piExtension(join(directory, "extension.mjs"), { program }));
  emit("session_start", {});
  emit("agent_start", {});
  emit("message_start", { message: { role: "user", content: "do it" } });
  emit("message_start", { message: { role: "assistant" } });
  emit("tool_execution_start", { toolName: "edit" });
  emit("agent_end", { messages: [{ stopReason: "aborted" }] });
  emit("agent_end", { messages: [{ stopReason: "error" }] });
  await emit("session_shutdown", {});
  expect(await readings(harnesses.pi, 7)).toEqual([
    ["started", "", ""],
    ["working", "", ""],
    ["working", "", ""],
    ["working", "", "edit"],
    ["done", "interrupted", ""],
    ["error", "the model request failed", ""],
    ["ended", "", ""],
  ]);
});

it("neither throws nor waits when the program is gone, hangs, or the event has another shape", async () => {
  const gone = await loadPlugin(
    opencodePlugin(join(directory, "gone.mjs"), { program: ["/nowhere/tongs-agents"] }),
  );
  await gone["chat.message"]({ sessionID: "s1" });
  await gone["chat.message"](undefined);
  await gone.event({});
  await gone.event({ event: { type: "session.created" } });
  const { emit } = await loadExtension(
    piExtension(join(directory, "hangs.mjs"), {
      program: [process.execPath, "-e", "setTimeout(() => {}, 4000)"],
    }),
  );
  const started = performance.now();
  emit("session_start", undefined);
  await emit("session_shutdown", undefined);
  expect(performance.now() - started).toBeLessThan(3_000);
});

interface Plugin {
  event(input: unknown): Promise<void>;
  "chat.message"(input: unknown): Promise<void>;
  "tool.execute.before"(input: unknown): Promise<void>;
}

async function loadPlugin(file: ManagedFile): Promise<Plugin> {
  const { TongsAgents } = await load(file);
  return TongsAgents({ directory: "/home/me/shop" });
}

async function loadExtension(file: ManagedFile) {
  const handlers = new Map<string, (event: unknown, context: unknown) => unknown>();
  const { default: extension } = await load(file);
  extension({ on: (name: string, handler: () => unknown) => handlers.set(name, handler) });
  const context = { cwd: "/home/me/shop", sessionManager: { getSessionId: () => "p1" } };
  return { emit: async (name: string, event: unknown) => handlers.get(name)?.(event, context) };
}

async function load(file: ManagedFile) {
  const [edit] = file.add("");
  writeFileSync(file.path, edit?.text ?? "");
  return import(pathToFileURL(file.path).href);
}

function callLines(): { readonly args: readonly string[]; readonly input: unknown }[] {
  if (!existsSync(calls)) return [];
  return readFileSync(calls, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function noted(count: number): Promise<void> {
  await vi.waitFor(() => expect(callLines().length).toBe(count), { timeout: 10_000 });
}

/** What the hook program makes of the calls. */
async function readings(harness: Harness, count: number) {
  await noted(count);
  return callLines().map(({ args, input }) => {
    const reading = harness.readHook(args[1] ?? "", input);
    return [reading?.status, reading?.detail, reading?.tool];
  });
}
