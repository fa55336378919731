import { memoryFiles } from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { stableProgram } from "../src/stable-program.ts";

const node = "/usr/bin/node";

it("T-29 keeps the link that npm puts on PATH, which outlives an update", () => {
  const link = "/usr/local/bin/tongs-agents";
  expect(stableProgram(memoryFiles(), [node, link])).toEqual({ argv: [node, link], isTemporary: false });
});

it("leaves pnpm's folder of one version for that of the package, when both are the same file", () => {
  const files = memoryFiles();
  const store = "/pnpm/5/node_modules/.pnpm/tongs@0.1.0/node_modules/tongs/dist";
  files.makeDirectory(store);
  files.write(`${store}/bin.js`, "");
  expect(stableProgram(files, [node, `${store}/bin.js`]).argv[1]).toBe(`${store}/bin.js`);
  files.makeDirectory("/pnpm/5/node_modules");
  files.place("/pnpm/5/node_modules/tongs", "symlink", {
    target: "/pnpm/5/node_modules/.pnpm/tongs@0.1.0/node_modules/tongs",
  });
  expect(stableProgram(files, [node, `${store}/bin.js`]).argv[1]).toBe(
    "/pnpm/5/node_modules/tongs/dist/bin.js",
  );
});

it.each([
  "/home/me/.npm/_npx/1f2e/node_modules/.bin/tongs-agents",
  "/home/me/.cache/pnpm/dlx/3a-17/node_modules/tongs-agents/dist/bin.js",
  "/tmp/bunx-0-tongs-agents@latest/node_modules/.bin/tongs-agents",
  "/tmp/xfs-12ab/dlx-3/node_modules/tongs-agents/dist/bin.js",
])("X-10 T-29 knows the temporary copy %s", (script) => {
  expect(stableProgram(memoryFiles(), [node, script]).isTemporary).toBe(true);
});

it("refuses a program that does not know where it is", () => {
  expect(() => stableProgram(memoryFiles(), [node, ""])).toThrow(/does not know its own path/);
});
