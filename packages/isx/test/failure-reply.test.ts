import { Failure } from "@agent-control/base";
import { expect, it } from "vitest";
import { isxFailureReply } from "../src/failure-reply.ts";

const failure = (outcome: Failure["outcome"], code: string, details = {}) =>
  new Failure(outcome, { code, message: "It is not there", next: "Make one", details });

it("X-11 answers one sentence with the next step, and for programs a code in _meta", () => {
  expect(isxFailureReply(failure("refused", "instance-unknown"), { instance: "mcp-dev-abcde" })).toEqual({
    text: "It is not there. Make one.",
    meta: {
      "isx/error": { code: "not_found", message: "It is not there. Make one.", instance: "mcp-dev-abcde" },
    },
  });
});

it("X-11 names the instance and task that the failure itself is about first, and never other types or long texts", () => {
  const meta = (given: unknown, details = {}) => {
    const reply = isxFailureReply(failure("error", "x", details), given);
    return "meta" in reply ? reply.meta?.["isx/error"] : undefined;
  };
  expect(meta({ instance: "given", task_id: "t" }, { instance: "own" })).toMatchObject({
    instance: "own",
    task_id: "t",
  });
  expect(meta({ instance: 5, task_id: ["t"] })).toEqual({
    code: "unavailable",
    message: "It is not there. Make one.",
  });
  expect(meta({ instance: "x".repeat(5000) })).toMatchObject({ instance: "x".repeat(100) });
  for (const given of [undefined, null, "text", 5, []]) expect(meta(given)).not.toHaveProperty("instance");
});

it.each<[Failure["outcome"], string, string]>([
  ["usage", "bad-argument", "invalid_argument"],
  ["refused", "config-invalid", "refused"],
  ["rate-limited", "host-tool-interval", "limit"],
  ["unavailable", "incus-unreachable", "unavailable"],
  ["error", "incus-refused", "unavailable"],
  ["error", "defect", "internal"],
  ["error", "busy", "busy"],
  ["refused", "task-limit", "limit"],
  ["refused", "task-running", "wrong_state"],
])("X-11 says %s %s as %s", (outcome, code, word) => {
  expect(isxFailureReply(failure(outcome, code), {})).toMatchObject({
    meta: { "isx/error": { code: word } },
  });
});
