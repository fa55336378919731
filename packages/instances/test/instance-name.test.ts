import { fakeRandom } from "@agent-control/base/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { instanceName, isInstanceName } from "../src/instance-name.ts";

const random = fakeRandom(3);
const named = (hint: string | undefined, template = "tpl-java") =>
  instanceName(template, hint, { random, taken: new Set() }).replace(/[a-z2-7]{5}$/, "*");

it("X-14 names an instance after its template and hint", () => {
  expect(named("870-impl-")).toBe("mcp-java-870-impl-*");
  expect(named("870-impl")).toBe("mcp-java-870-impl-*");
  expect(named("")).toBe("mcp-java-*");
  expect(named(undefined)).toBe("mcp-java-*");
  expect(named("FIX The Bug")).toBe("mcp-java-fix-the-bug-*");
  expect(named("Ünï")).toBe("mcp-java-n-*");
  expect(named("日本語")).toBe("mcp-java-*");
  expect(named("x".repeat(80))).toBe(`mcp-java-${"x".repeat(16)}-*`);
  expect(named("123456789012345-7")).toBe("mcp-java-123456789012345-*");
  expect(named("$(rm -rf /)")).toBe("mcp-java-rm--rf-*");
  expect(named("a", "web")).toBe("mcp-web-a-*");
});

it("X-14 names are valid for any hint and template, at most 63 characters, and never one that is taken", () => {
  const template = fc.stringMatching(/^[a-z][a-z0-9-]{0,46}[a-z0-9]$/);
  const hint = fc.option(
    fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: "grapheme", maxLength: 200 })),
    {
      nil: undefined,
    },
  );
  fc.assert(
    fc.property(template, hint, (template, hint) => {
      const name = instanceName(template, hint, { random, taken: new Set() });
      return isInstanceName(name) && /^mcp-[a-z0-9-]*-?[a-z2-7]{5}$/.test(name) && name.length <= 63;
    }),
    { numRuns: 1000 },
  );
});

it("X-14 draws again while a name is taken", () => {
  const first = instanceName("tpl-a", "x", { random: fakeRandom(9), taken: new Set() });
  const second = instanceName("tpl-a", "x", { random: fakeRandom(9), taken: new Set([first]) });
  expect(second).not.toBe(first);
});

it("knows what Incus takes as a name", () => {
  expect(["a", "A1", "mcp-a-b", "a".repeat(63)].map(isInstanceName)).toEqual([true, true, true, true]);
  expect(["", "1a", "-a", "a-", "a_b", "a/b", "a b", "ä", "a".repeat(64), "a\n"].some(isInstanceName)).toBe(
    false,
  );
});
