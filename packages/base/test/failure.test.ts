import { expect, it } from "vitest";
import { asFailure, cancelled, exitCodes, Failure, renderFailure, throwIfCancelled } from "../src/index.ts";

const failure = new Failure("refused", {
  code: "not-yours",
  message: "Pane %3 is not yours",
  next: "Ask its owner",
});

it("carries outcome, code, message, next step and exit code", () => {
  expect(failure).toMatchObject({
    name: "Failure",
    outcome: "refused",
    code: "not-yours",
    exitCode: 5,
    details: {},
  });
  expect(failure).toBeInstanceOf(Error);
  expect("cause" in failure).toBe(false);
  expect(new Failure("error", { code: "a", message: "b", next: "c", cause: 1 }).cause).toBe(1);
});

it("gives every outcome the exit code of the page", () => {
  expect(exitCodes).toEqual({
    ok: 0,
    error: 1,
    usage: 2,
    timeout: 3,
    exited: 4,
    refused: 5,
    "rate-limited": 5,
    unsupported: 6,
    unavailable: 7,
    cancelled: 130,
  });
});

it("renders one line with a full stop after each sentence", () => {
  expect(renderFailure(failure)).toBe("Pane %3 is not yours. Ask its owner.");
  const ended = { code: "a", message: "Was that\n  all?", next: "Look!" };
  expect(renderFailure(new Failure("error", ended))).toBe("Was that all? Look!");
});

it("makes a cancelled Failure of an AbortError and leaves a bug alone", () => {
  expect(asFailure(failure)).toBe(failure);
  expect(asFailure(AbortSignal.abort().reason)?.outcome).toBe("cancelled");
  expect(asFailure(new Error("bug"))).toBeUndefined();
  expect(asFailure("text")).toBeUndefined();
  expect(cancelled("why").cause).toBe("why");
});

it("throws when the signal has fired, and only then", () => {
  expect(() => throwIfCancelled(undefined)).not.toThrow();
  expect(() => throwIfCancelled(new AbortController().signal)).not.toThrow();
  expect(() => throwIfCancelled(AbortSignal.abort())).toThrow("The call was cancelled");
});
