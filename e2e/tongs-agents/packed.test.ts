import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installIn, pack } from "../shared/packed.ts";
import { connectOutside, runProgram } from "./world.ts";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));
const programs = ["isx", "tongs-agents"];
const libraries = readdirSync(packages).filter((name) => !programs.includes(name));
const root = mkdtempSync(join(tmpdir(), "ac-packed-"));
const env = { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, HOME: root, LANG: "C.UTF-8" };

afterAll(() => rmSync(root, { recursive: true, force: true }));

let cli = "";
beforeAll(() => {
  cli = installIn(join(root, "cli"), [pack("tongs-agents", root)]);
}, 120_000);

it("C-40 the packed CLI installs alone, with no dependencies, and answers initialize, tools/list and a call", async () => {
  const installed = readdirSync(join(cli, "node_modules")).filter((name) => !name.startsWith("."));
  expect(installed).toEqual(["@agent-control"]);
  const bin = join(cli, "node_modules", ".bin", "tongs-agents");
  const client = connectOutside(env, [process.execPath, bin, "mcp"]);
  expect(await client.initialize()).toMatchObject({ serverInfo: { name: "tongs-agents", version: "0.1.0" } });
  expect(await client.toolNames()).toHaveLength(5);
  expect(await client.call("fleet_status", {})).toMatchObject({ total: 0, sessions: [] });
  client.close();
  await client.closed;
});

it("C-40 the packed CLI's bin is executable and prints its version and help", async () => {
  const bin = join(cli, "node_modules", ".bin", "tongs-agents");
  expect(statSync(bin).mode & 0o111).not.toBe(0);
  expect((await runProgram([bin, "--version"], { env, input: "" })).stdout).toBe("0.1.0\n");
  const help = await runProgram([bin, "--help"], { env, input: "" });
  expect(help.stdout).toContain("agent-status");
});

it("C-53 hook, pane and --version load no schema library, no YAML and no MCP SDK", () => {
  const dist = join(cli, "node_modules", "@agent-control", "tongs-agents", "dist");
  const chunks = new Map(readdirSync(dist).map((name) => [name, readFileSync(join(dist, name), "utf8")]));
  const heavy = /ZodError|io\.modelcontextprotocol|YAMLParseError/;
  const loaded = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const [, next = ""] of (chunks.get(name) ?? "").matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
      loaded(next, seen);
    return seen;
  };
  const holding = (prefix: string) =>
    [...chunks.keys()]
      .filter((name) => name.startsWith(prefix))
      .flatMap((name) => [...loaded(name)].filter((each) => heavy.test(chunks.get(each) ?? "")));
  // The search finds what it looks for where it is.
  expect(holding("sdk-").length + holding("tools-").length).toBeGreaterThan(0);
  for (const prefix of ["hook-", "pane-", "version-", "bin.js"])
    expect([prefix, holding(prefix)]).toEqual([prefix, []]);
});

it("C-40 the libraries install from their tarballs, import and have types", {
  timeout: 240_000,
}, async () => {
  const place = installIn(
    join(root, "libraries"),
    libraries.map((name) => pack(name, root)),
  );
  const imports = libraries.map(
    (name, index) =>
      `import * as m${index} from "@agent-control/${name}";\nif (Object.keys(m${index}).length === 0) throw new Error("${name} exports nothing");`,
  );
  writeFileSync(join(place, "all.mjs"), imports.join("\n"));
  expect(await runProgram([process.execPath, join(place, "all.mjs")], { env, input: "" })).toMatchObject({
    code: 0,
    stderr: "",
  });
  writeFileSync(
    join(place, "use.ts"),
    `import { Failure, type Outcome } from "@agent-control/base";\nimport type { Multiplexer } from "@agent-control/multiplexer";\nimport { parseTongsConfig } from "@agent-control/policy";\nexport const outcome: Outcome = new Failure("refused", { code: "x", message: "x", next: "y" }).outcome;\nexport const name = (m: Multiplexer): "tmux" | "zellij" => m.name;\n// @ts-expect-error the path is missing\nparseTongsConfig(new Uint8Array());\n`,
  );
  const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  const checked = await runProgram(
    [
      process.execPath,
      tsc,
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--target",
      "es2022",
      join(place, "use.ts"),
    ],
    { env, input: "", cwd: place },
  );
  expect(checked.stdout).toBe("");
});
