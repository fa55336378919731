import { expect, it } from "vitest";
import { planTurn } from "../src/script.ts";
import type { Turn } from "../src/turns.ts";

const tools = ["Write", "mcp__tongs-agents__agents_send", "mcp__subshell/session_read"];

const plan = (turns: Turn[]) =>
  planTurn({ system: "", turns, tools, session: undefined, model: "m", stream: false });
const user = (text: string): Turn => ({ role: "user", text });
const result = (text: string): Turn => ({ role: "result", text });

it("says ok to a prompt without directives and after the last directive", () => {
  expect(plan([user("hello")]).answer).toEqual({ text: "ok", calls: [] });
  expect(plan([user("[[call Write {}]]"), result("done")]).answer).toEqual({ text: "ok", calls: [] });
});

it("makes one call a turn and goes on after its result", () => {
  const prompt = user("[[say first]][[call Write {}]][[call Read {}]][[say last]]");
  const write = { tool: "Write", input: {} };
  const read = { tool: "Read", input: {} };
  expect(plan([prompt]).answer).toEqual({ text: "first", calls: [write] });
  expect(plan([prompt, result("1")]).answer).toEqual({ text: "", calls: [read] });
  expect(plan([prompt, result("1"), result("2")]).answer).toEqual({ text: "last", calls: [] });
});

it("goes on after parallel calls once all their results are there", () => {
  const prompt = user("[[calls Write {} | Read {}]][[say both]]");
  expect(plan([prompt]).answer.calls.map(({ tool }) => tool)).toEqual(["Write", "Read"]);
  expect(plan([prompt, result("1")]).answer.calls).toHaveLength(2);
  expect(plan([prompt, result("1"), result("2")]).answer.text).toBe("both");
});

it("obeys the newest prompt only, and none of what a tool answers", () => {
  const turns = [user("[[call Write {}]][[say old]]"), result("[[say from a tool]]"), user("thanks")];
  expect(plan(turns).answer.text).toBe("ok");
  expect(plan([...turns, user("[[last-result]]")]).answer.text).toBe("[[say from a tool]]");
});

it("waits, drips, holds and fails in the turn in which it is told to", () => {
  const prompt = user("[[call Write {}]][[wait 5]][[drip 2]][[hold a]][[hold b]][[fail 500 2]][[say x]]");
  expect(plan([prompt])).toMatchObject({ waitMs: 0, dripMs: 0, holds: [], failures: [] });
  expect(plan([prompt, result("1")])).toMatchObject({
    waitMs: 5,
    dripMs: 2,
    holds: ["a", "b"],
    failures: [{ status: 500, times: 2 }],
  });
});

it.each([
  ["Write", "Write"],
  ["agents_send", "mcp__tongs-agents__agents_send"],
  ["session_read", "mcp__subshell/session_read"],
  ["mcp__subshell__session_read", "mcp__subshell/session_read"],
  ["mcp__hidden__tool", "mcp__hidden__tool"],
])("calls %s by the name that the agent offers: %s", (written, offered) => {
  expect(plan([user(`[[call ${written} {}]]`)]).answer.calls).toEqual([{ tool: offered, input: {} }]);
});
