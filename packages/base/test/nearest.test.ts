import { nearest } from "@agent-control/base";
import fc from "fast-check";
import { expect, it } from "vitest";

it("C-10 finds the key that a near miss meant, also with letters swapped or in the wrong case", () => {
  const keys = ["mcp_enabled", "mcp_any_target", "mcp_max_agents"];
  expect(nearest("mcp_enable", keys)).toBe("mcp_enabled");
  expect(nearest("mcp_enabeld", keys)).toBe("mcp_enabled");
  expect(nearest("MCP_ENABLED", keys)).toBe("mcp_enabled");
  expect(nearest("maxagents", keys)).toBeUndefined();
});

it("takes the nearer of two candidates", () => {
  expect(nearest("sent", ["spend", "send"])).toBe("send");
});

it("does not offer a word that shares nothing with the mistyped one", () => {
  expect(nearest("ab", ["xy", "x"])).toBeUndefined();
  expect(nearest("", ["a"])).toBeUndefined();
});

it("is not slowed down by a huge word", () => {
  expect(nearest("x".repeat(1_000_000), ["session"])).toBeUndefined();
});

it("answers with a word that is among the candidates whenever it was typed exactly", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (candidates) => {
      const word = candidates[0] ?? "";
      expect(nearest(word, candidates)?.toLowerCase()).toBe(word.toLowerCase());
    }),
  );
});
