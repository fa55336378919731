import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BuiltFixture, buildFixture } from "./built-fixture.ts";

let fixture: BuiltFixture;
beforeAll(async () => {
  fixture = await buildFixture();
});
afterAll(() => fixture.remove());

const chunks = () =>
  readdirSync(fixture.directory).map((name) => ({
    name,
    text: readFileSync(join(fixture.directory, name), "utf8"),
  }));

it("C-50 starts from a small file that imports neither the SDK nor a schema library", () => {
  const serve = chunks().find(({ name }) => name === "serve.js");
  const imported = serve?.text.match(/from"\.\/[^"]+"/g) ?? [];
  expect(imported.map((one) => one.replace(/-.*/, ""))).not.toContain('from"./sdk');
  const atStart = chunks().filter(
    ({ name }) => name === "serve.js" || imported.some((one) => one.includes(name)),
  );
  expect(atStart.reduce((bytes, { text }) => bytes + text.length, 0)).toBeLessThan(40_000);
});

it("C-50 has no JSON Schema validator in any chunk", () => {
  const all = chunks().map(({ text }) => text);
  expect(all.join("").length).toBeLessThan(400_000);
  expect(all.some((text) => text.includes("ajv"))).toBe(false);
});
