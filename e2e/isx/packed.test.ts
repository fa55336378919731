import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installIn, pack } from "../shared/packed.ts";
import { runProgram } from "../shared/run-program.ts";
import { startServer } from "../shared/server.ts";

const root = mkdtempSync(join(tmpdir(), "isx-packed-"));
const env = {
  PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
  HOME: root,
  LANG: "C.UTF-8",
  INCUS_SOCKET: join(root, "no-incus"),
};

let cli = "";
let bin = "";
beforeAll(() => {
  cli = installIn(join(root, "cli"), [pack("isx", root)]);
  bin = join(cli, "node_modules", ".bin", "isx");
}, 120_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("C-40 the packed CLI installs alone, with no dependencies, and answers initialize, tools/list and a call", async () => {
  const installed = readdirSync(join(cli, "node_modules")).filter((name) => !name.startsWith("."));
  expect(installed).toEqual(["@agent-control"]);
  const server = startServer(env, { argv: [process.execPath, bin, "mcp"] });
  expect(await server.initialize()).toMatchObject({ serverInfo: { name: "isx", version: "0.1.0" } });
  expect(await server.toolNames()).toHaveLength(13);
  expect(await server.callRaw("list_instances", {})).toMatchObject({
    isError: true,
    _meta: { "isx/error": { code: "unavailable" } },
  });
  server.close();
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

it("C-40 the packed CLI's bin is executable and prints its version and help", async () => {
  expect(statSync(bin).mode & 0o111).not.toBe(0);
  expect((await runProgram([bin, "--version"], { env, input: "" })).stdout).toBe("0.1.0\n");
  expect((await runProgram([bin, "--help"], { env, input: "" })).stdout).toContain("Serve the MCP tools");
});
