import { expect, it } from "vitest";
import { allowed, Failure, refuse, requireAllowed } from "../src/index.ts";

it("passes an allowed decision", () => {
  expect(() => requireAllowed(allowed)).not.toThrow();
});

it("turns a refusal into the Failure with the same words", () => {
  const refusal = { ...refuse("too-deep", "The depth is used up", "Close a pane"), details: { depth: 3 } };
  const thrown = thrownBy(() => requireAllowed(refusal));
  expect(thrown).toBeInstanceOf(Failure);
  expect(thrown).toMatchObject({
    outcome: "refused",
    code: "too-deep",
    message: "The depth is used up",
    next: "Close a pane",
    details: { depth: 3 },
  });
});

it("keeps the outcome of a refusal that is no policy", () => {
  const limited = { ...refuse("rate", "Too many", "Wait"), outcome: "rate-limited" as const };
  expect(thrownBy(() => requireAllowed(limited))).toMatchObject({ outcome: "rate-limited", details: {} });
});

function thrownBy(call: () => void): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}
