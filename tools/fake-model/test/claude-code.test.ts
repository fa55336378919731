import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import { claudeBinary } from "../src/index.ts";
import { type ClaudeRoom, makeClaudeRoom, runClaude } from "./claude-room.ts";

vi.setConfig({ testTimeout: 60_000 });

const rooms: ClaudeRoom[] = [];
afterEach(async () => {
  for (const room of rooms.splice(0)) await room.close();
});
async function makeRoom(...options: Parameters<typeof makeClaudeRoom>) {
  const room = await makeClaudeRoom(...options);
  rooms.push(room);
  return room;
}

const greets = fileURLToPath(new URL("fixtures/greets.mjs", import.meta.url));
const mcpServers = { greets: { type: "stdio", command: process.execPath, args: [greets] } };

it("has Claude Code write a file and report what it said last", async () => {
  const room = await makeRoom({ settings: { permissions: { allow: ["Write", "Edit", "Read"] } } });
  const file = join(room.projectDir, "note.txt");
  const prompt = `[[say writing]][[call Write {"file_path":"${file}","content":"a ]] b"}]][[say done]]`;
  expect(await runClaude(room, prompt)).toMatchObject({
    exitCode: 0,
    answer: { is_error: false, result: "done", num_turns: 2 },
  });
  expect(readFileSync(file, "utf8")).toBe("a ]] b");
  expect(room.model.requests()).toMatchObject([
    { side: false, toolResults: [], answered: { text: "writing", calls: [{ tool: "Write" }] } },
    { side: false, toolResults: [expect.stringContaining("created")], answered: { text: "done" } },
  ]);
});

it("has Claude Code call a tool of an MCP server and takes a value out of its result", async () => {
  const room = await makeRoom({ mcpServers });
  const prompt = '[[call greet {"name":"Ada"}]][[say it said: {{result.greeting}}]]';
  const { answer } = await runClaude(room, prompt, ["--allowedTools", "mcp__greets"]);
  expect(answer.result).toBe("it said: hello Ada");
  expect(room.model.requests()[0]?.toolNames).toContain("mcp__greets__greet");
});

it("has Claude Code call a tool whose name it keeps back", async () => {
  const room = await makeRoom({ mcpServers });
  const { ENABLE_TOOL_SEARCH: _listed, ...env } = room.env;
  const prompt = '[[call mcp__greets__greet {"name":"Ada"}]][[say {{result.greeting}}]]';
  const { answer } = await runClaude({ ...room, env }, prompt, ["--allowedTools", "mcp__greets"]);
  expect(room.model.requests()[0]?.toolNames).not.toContain("mcp__greets__greet");
  expect(answer.result).toBe("hello Ada");
});

it("has Claude Code run parallel calls and goes on when all are done", async () => {
  const room = await makeRoom();
  const touch = (name: string) => `Bash {"command":"echo ${name} > ${name}","description":"write"}`;
  const prompt = `[[calls ${touch("one")} | ${touch("two")}]][[say both]]`;
  const { answer } = await runClaude(room, prompt, ["--allowedTools", "Bash"]);
  expect(answer.result).toBe("both");
  expect(readFileSync(join(room.projectDir, "two"), "utf8")).toBe("two\n");
  expect(room.model.requests()).toHaveLength(2);
});

it("has Claude Code end with the API error that the script asks for", async () => {
  const room = await makeRoom();
  expect(await runClaude(room, "[[fail 400]]")).toMatchObject({
    exitCode: 1,
    answer: {
      is_error: true,
      api_error_status: 400,
      result: expect.stringContaining("The script of the fake model asks for this error"),
    },
  });
});

it("sees the earlier turns when Claude Code resumes a session", async () => {
  const room = await makeRoom();
  const { answer } = await runClaude(room, "[[say first]]");
  const next = await runClaude(room, "[[say second]]", ["--resume", String(answer.session_id)]);
  expect(next.answer).toMatchObject({ result: "second", session_id: answer.session_id });
  expect(room.model.requests().map(({ session }) => session)).toEqual([answer.session_id, answer.session_id]);
});

it("says what to do when the native program is not there", () => {
  const directory = mkdtempSync(join(tmpdir(), "fake-model-"));
  for (const name of ["claude-code", `claude-code-${process.platform}-${process.arch}`]) {
    const installed = join(directory, "node_modules", "@anthropic-ai", name);
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, "package.json"), "{}");
  }
  expect(() => claudeBinary(join(directory, "package.json"))).toThrow(
    /^@anthropic-ai\/claude-code-.* is not installed for .*\. Add @anthropic-ai\/claude-code to its devDependencies/,
  );
  rmSync(directory, { recursive: true });
});
