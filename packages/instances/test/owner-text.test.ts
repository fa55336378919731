import type { InstanceSeen } from "@agent-control/incus";
import { expect, it } from "vitest";
import { ownerText } from "../src/owner-text.ts";
import { stampConfig } from "../src/stamp.ts";

function text(stamp: Parameters<typeof stampConfig>[0], isAlive = true): string | undefined {
  const config = stampConfig(stamp);
  const instance: InstanceSeen = {
    ...{ name: "c1", status: "Stopped", type: "container", createdAt: "2026-01-01T00:00:00Z" },
    ...{ config, profiles: [], devices: {}, expandedConfig: config, expandedDevices: {} },
  };
  return ownerText(instance, () => isAlive);
}

const mine = { mcpOwner: "1000:ada", session: "1-2-aaaaaaaa" };

it("X-80 says who has an instance that an agent made, and for what", () => {
  expect(text({ ...mine, purpose: "#870 implement" })).toBe("mcp held: #870 implement");
  expect(text(mine)).toBe("mcp held");
  expect(text(mine, false)).toBe("mcp orphaned");
  expect(text({ ...mine, orphaned: "2026-01-01T00:00:00.000Z 1-2-aaaaaaaa" })).toBe("mcp orphaned");
  expect(text({ ...mine, kept: "2026-01-01T00:00:00.000Z", purpose: "spike" }, false)).toBe(
    "mcp kept: spike",
  );
});

it("X-80 says nothing of a person's own instance, whatever else is stamped on it", () => {
  expect(text({ owner: "1000:ada", purpose: "x" })).toBeUndefined();
});

it("X-80 shows control characters of a purpose as escapes, on one line", () => {
  expect(text({ ...mine, purpose: "a\tb\nc\u001b[31md\u202e" })).toBe(
    "mcp held: a\\tb\\nc\\u{1b}[31md\\u{202e}",
  );
});
