import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FakeModel, startFakeModel } from "../src/index.ts";
import { anthropicBody, post, said } from "./conversation.ts";

let directory: string;
let model: FakeModel;
const logLines = () =>
  readFileSync(join(directory, "log"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "fake-model-"));
  model = await startFakeModel({
    logFile: join(directory, "log"),
    bodiesDirectory: join(directory, "bodies"),
  });
});
afterEach(async () => {
  await model.close();
  rmSync(directory, { recursive: true });
});

it("fails the first attempts of a turn and then answers, in each session anew", async () => {
  const attempt = async (session: string) =>
    (
      await post(model, "/v1/messages", anthropicBody("[[fail 529 2]][[fail 500 1]] x"), {
        "x-claude-code-session-id": session,
      })
    ).status;
  const statuses: number[] = [];
  for (const session of ["a", "a", "b", "a", "a"]) statuses.push(await attempt(session));
  expect(statuses).toEqual([529, 529, 529, 500, 200]);
});

it("counts the attempts of a later turn from the start", async () => {
  const script = "[[fail 500 1]][[call t {}]][[fail 400 1]][[say done]]";
  const status = async (...results: string[]) =>
    (await post(model, "/v1/messages", anthropicBody(script, results))).status;
  expect([await status(), await status(), await status("r"), await status("r")]).toEqual([
    500, 200, 400, 200,
  ]);
});

it("holds an answer until its name is released, and knows the request meanwhile", async () => {
  const answer = said(model, anthropicBody("[[hold gate]][[say through]]"));
  const held = await model.waitForRequest(({ directives }) => directives.includes("hold"), 2000);
  expect(held).toMatchObject({ n: 1, state: "pending", answered: { text: "through" } });
  model.release("other");
  expect(model.requests()[0]?.state).toBe("pending");
  await fetch(`${model.url}/control/release/gate`, { method: "POST" });
  expect(await answer).toBe("through");
  await model.waitForRequest(({ state }) => state === "sent", 2000);
});

it("does not hold what was released before it came", async () => {
  model.release("gate");
  expect(await said(model, anthropicBody("[[hold gate]][[say through]]"))).toBe("through");
});

it("notes when the client goes away before the answer", async () => {
  const stop = new AbortController();
  const call = fetch(`${model.url}/v1/messages`, {
    method: "POST",
    body: JSON.stringify(anthropicBody("[[hold never]]")),
    signal: stop.signal,
  });
  await model.waitForRequest(({ state }) => state === "pending", 2000);
  stop.abort();
  await expect(call).rejects.toThrow();
  await model.waitForRequest(({ state }) => state === "aborted", 2000);
});

it("drips the events one after the other", async () => {
  const body = anthropicBody("[[drip 15]][[say a b c]]", [], { stream: true });
  const response = await post(model, "/v1/messages", body);
  const chunks: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) chunks.push(decoder.decode(chunk));
  expect(chunks.length).toBeGreaterThan(4);
  expect(chunks.join("").match(/"text":"( ?\w)"/g)).toEqual(['"text":"a"', '"text":" b"', '"text":" c"']);
});

it("waits as long as told before it answers", async () => {
  const before = performance.now();
  await said(model, anthropicBody("[[wait 60]]"));
  expect(performance.now() - before).toBeGreaterThanOrEqual(55);
});

it("answers a request without tools on the side and follows no script in it", async () => {
  expect(await said(model, anthropicBody("[[say script]]", [], { tools: [] }))).toBe("side answer");
  expect(model.requests()[0]).toMatchObject({ side: true, userText: "[[say script]]" });
});

it("answers a script that cannot be followed with its problem", async () => {
  expect(await said(model, anthropicBody("[[sy hello]]"))).toContain("There is no directive [[sy]].");
  expect(await said(model, anthropicBody("[[say {{result.id}}]]"))).toContain("no tool result");
  expect(model.requests()[0]).toMatchObject({ status: 400, answered: undefined });
  expect(model.requests()[1]?.problem).toBe("There is no tool result for {{result.id}}.");
});

it("writes one line for each request and keeps the bodies", async () => {
  const body = anthropicBody("[[call t {}]] [[say got it]]", ["r"], { system: "s".repeat(300) });
  await post(model, "/v1/messages", body, { "x-claude-code-session-id": "session" });
  await model.close();
  expect(logLines()).toEqual([
    {
      n: 1,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      dialect: "anthropic",
      model: "fake-model",
      session: "session",
      side: false,
      system: "s".repeat(200),
      userText: "[[call t {}]] [[say got it]]",
      toolNames: ["t"],
      toolResults: ["r"],
      directives: ["calls", "say"],
      answered: { text: "got it", calls: [] },
      status: 200,
      state: "sent",
    },
  ]);
  expect(readdirSync(join(directory, "bodies"))).toEqual(["000001.json"]);
  model = await startFakeModel();
});

it("closes with an answer still held and has its line written by then", async () => {
  const call = said(model, anthropicBody("[[hold never]]"));
  await model.waitForRequest(({ state }) => state === "pending", 2000);
  await Promise.all([expect(call).rejects.toThrow(), model.close()]);
  expect(logLines()).toMatchObject([{ n: 1, state: "aborted" }]);
  model = await startFakeModel();
});

it("says what was seen when the awaited request does not come", async () => {
  await said(model, anthropicBody("[[say hello]]"));
  await expect(model.waitForRequest(() => false, 10)).rejects.toThrow(
    /No such request within 10 ms.*say hello/s,
  );
});

it("refuses a body that is not JSON and a path it does not know", async () => {
  const bad = await fetch(`${model.url}/v1/messages`, { method: "POST", body: "{" });
  expect(bad.status).toBe(400);
  expect((await post(model, "/v1/embeddings", {})).status).toBe(404);
  expect(model.requests()).toEqual([]);
});
