import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bundleProgram } from "../../../tools/bundle-program.ts";

it("the example of the README runs as it says", async () => {
  const directory = mkdtempSync(join(tmpdir(), "panes-readme-"));
  // Inside the package, so that its dependencies are found.
  const source = mkdtempSync(fileURLToPath(new URL("readme-", import.meta.url)));
  try {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const example = join(source, "example.ts");
    mkdirSync(join(directory, "work"));
    writeFileSync(example, /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "");
    const program = await bundleProgram(example, directory);
    const ended = spawnSync(process.execPath, [program, join(directory, "work")], { encoding: "utf8" });
    expect(ended).toMatchObject({ stdout: "true null\nexited\n", stderr: "", status: 0 });
  } finally {
    rmSync(directory, { recursive: true });
    rmSync(source, { recursive: true });
  }
});
