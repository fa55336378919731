import { expect, it } from "vitest";
import { findVerb } from "../src/find-verb.ts";

const verbs = [{ name: "mcp" }, { name: "mcp config" }, { name: "list" }];

it("takes the longest name and hands on the rest", () => {
  expect(findVerb("p", verbs, ["mcp", "config", "x"])).toEqual({ verb: { name: "mcp config" }, rest: ["x"] });
  expect(findVerb("p", verbs, ["mcp", "--x", "config"])).toEqual({
    verb: { name: "mcp" },
    rest: ["--x", "config"],
  });
});

it("never suggests a hidden verb", () => {
  expect(() => findVerb("p", [{ name: "hook", hidden: true }], ["hok"])).toThrow('There is no verb "hok"');
});
