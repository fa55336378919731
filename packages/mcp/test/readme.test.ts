import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { expect, it } from "vitest";
import { serverBundle } from "../bundle.ts";
import { driveServer } from "../src/testing.ts";

const near = (path: string) => fileURLToPath(new URL(path, import.meta.url));

it("runs the README's example", async () => {
  const example = /```ts\n([\s\S]*?)```/.exec(readFileSync(near("../README.md"), "utf8"))?.[1] ?? "";
  // Inside the package, so that its dependencies are found.
  const directory = mkdtempSync(near("fixtures/readme-"));
  try {
    writeFileSync(join(directory, "server.ts"), example);
    const bundle = serverBundle({ server: join(directory, "server.ts") }, join(directory, "out"));
    await build({
      ...bundle,
      config: false,
      silent: true,
      esbuildOptions(options, context) {
        bundle.esbuildOptions?.(options, context);
        options.alias = {
          ...options.alias,
          "@agent-control/mcp": near("../src/index.ts"),
          "@agent-control/mcp/catalogue": near("../src/catalogue.ts"),
          "@agent-control/system": near("../../system/src/index.ts"),
        };
      },
    });
    const server = driveServer(spawn(process.execPath, [join(directory, "out", "server.js")], { env: {} }));
    await server.initialize();
    expect(await server.call("count_words", { text: "one two  three" })).toMatchObject({
      structured: { words: 3 },
    });
    expect(await server.close()).toEqual({ code: 0, signal: null });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
