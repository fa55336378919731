import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { runProgram } from "../shared/run-program.ts";
import { agentIt, createAgentsPlace, projectIn } from "./agents-place.ts";
import { type Place, program } from "./world.ts";

let place: Place;
afterEach(() => place.close());

const home = (name: string) => join(place.env["HOME"] ?? "", name);
const carried = () => {
  const { XDG_CONFIG_HOME, XDG_STATE_HOME, INCUS_SOCKET } = place.env;
  return { XDG_CONFIG_HOME, XDG_STATE_HOME, INCUS_SOCKET };
};

const initializing = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
})}\n`;

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

it("X-10 mcp config prints an entry by absolute path with its variables and writes nothing", async () => {
  place = createAgentsPlace(["claude", "codex", "opencode"]);
  const ran = await place.cli(["mcp", "config"]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(ran.stdout)).toEqual({
    mcpServers: { isx: { command: process.execPath, args: [program, "mcp"], env: carried() } },
  });
  expect(existsSync(home(".claude.json")) || existsSync(home(".codex"))).toBe(false);
  expect(existsSync(place.stateDirectory)).toBe(false);
});

it("X-10 mcp config's entry starts a server that answers", async () => {
  place = createAgentsPlace([]);
  const { command, args, env } = JSON.parse((await place.cli(["mcp", "config"])).stdout).mcpServers.isx;
  const ran = await runProgram([command, ...args], { env: { HOME: home(""), ...env }, input: initializing });
  expect(JSON.parse(ran.stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "isx" } } });
});

const canUseSg = process.getuid?.() === 0 && existsSync("/usr/bin/sg") && hasGroup("incus-admin");

function hasGroup(name: string): boolean {
  return readFileSync("/etc/group", "utf8").includes(`\n${name}:`);
}

it.skipIf(!canUseSg)(
  "X-10 a member of Incus' group gets an entry through the real sg, which serves",
  async () => {
    place = createAgentsPlace([]);
    const programs = join(place.root, "programs");
    const copy = join(place.root, "it's $HOME", "isx.mjs");
    write(copy, `await import(${JSON.stringify(program)});\n`);
    // The system's own database stays as it is.
    writeFileSync(join(programs, "id"), "#!/bin/sh\necho nobody incus-admin\n", { mode: 0o755 });
    chmodSync(place.root, 0o755);
    const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    const asPerson = [...nobody, process.execPath, copy, "mcp", "config"];
    const printed = await runProgram(asPerson, { env: place.env, input: "", cwd: "/" });
    const { command, args, env } = JSON.parse(printed.stdout).mcpServers.isx;
    expect([command, ...args.slice(0, 2)]).toEqual(["/usr/bin/sg", "incus-admin", "-c"]);
    const ran = await runProgram([command, ...args], { env: { ...place.env, ...env }, input: initializing });
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "isx" } } });
    expect(ran.code).toBe(0);
  },
);

it("X-10 mcp register knows its agents", async () => {
  place = createAgentsPlace([]);
  expect(await place.cli(["mcp", "register", "cladue"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Did you mean claude?"),
  });
  expect(await place.cli(["mcp", "register", "claude"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Claude Code is not on PATH"),
  });
});

agentIt("claude")("X-10 the real Claude Code has the server for all projects, and connects", async () => {
  place = createAgentsPlace(["claude"]);
  write(
    home(".claude.json"),
    '{"mcpServers": {"other": {"command": "x"}, "isx": {"command": "/old/isx"}}, "a": 1}',
  );
  expect(await place.cli(["mcp", "register", "claude"])).toMatchObject({
    code: 0,
    stdout: `Claude Code: isx is registered in ${home(".claude.json")}\n`,
  });
  expect(JSON.parse(readFileSync(home(".claude.json"), "utf8"))).toMatchObject({
    a: 1,
    mcpServers: {
      other: { command: "x" },
      isx: { command: process.execPath, args: [program, "mcp"], env: carried() },
    },
  });
  const got = await runProgram(["claude", "mcp", "get", "isx"], {
    env: place.env,
    input: "",
    cwd: projectIn(place),
  });
  expect(got.stdout).toMatch(/Scope: User config[\s\S]*Status: .*Connected/);
  expect((await place.cli(["mcp", "register", "claude"])).stdout).toMatch(/was registered already/);
});

agentIt("codex")("X-10 the real Codex reads the entry, and every other byte stays", async () => {
  place = createAgentsPlace(["codex"]);
  const path = home(".codex/config.toml");
  const before = '# mine\nmodel = "gpt"\n\n';
  const after = '[mcp_servers.other] # keep\ncommand = "x"\n';
  write(path, `${before}[mcp_servers.isx]\ncommand = "/old/isx"\n${after}`);
  expect((await place.cli(["mcp", "register", "codex"])).code).toBe(0);
  const text = readFileSync(path, "utf8");
  expect(text.startsWith(before + after)).toBe(true);
  const listed = await runProgram(["codex", "mcp", "list", "--json"], { env: place.env, input: "" });
  expect(JSON.parse(listed.stdout)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: "isx",
        enabled: true,
        tool_timeout_sec: 660,
        transport: expect.objectContaining({
          type: "stdio",
          command: process.execPath,
          args: [program, "mcp"],
          env: carried(),
        }),
      }),
      expect.objectContaining({ name: "other" }),
    ]),
  );
  expect((await place.cli(["mcp", "register", "codex"])).stdout).toMatch(/was registered already/);
  expect(readFileSync(path, "utf8")).toBe(text);
});

agentIt("opencode")("X-10 the real opencode connects to the server, and every other byte stays", async () => {
  place = createAgentsPlace(["opencode"]);
  const path = join(place.env["XDG_CONFIG_HOME"] ?? "", "opencode", "opencode.jsonc");
  write(path, '{\n  // mine\n  "theme": "dark", // as at night\n}\n');
  expect((await place.cli(["mcp", "register", "opencode"])).code).toBe(0);
  expect(readFileSync(path, "utf8")).toContain('{\n  // mine\n  "theme": "dark",');
  const listed = await runProgram(["opencode", "mcp", "list"], {
    env: place.env,
    input: "",
    cwd: projectIn(place),
  });
  expect(listed.stdout).toMatch(/isx\s.*connected/);
});

it("X-10 refuses to register a copy that npx made", async () => {
  place = createAgentsPlace([]);
  const copy = join(place.root, "_npx", "1f2e", "isx.mjs");
  write(copy, `await import(${JSON.stringify(program)});\n`);
  const ran = await runProgram([process.execPath, copy, "mcp", "register", "codex"], {
    env: place.env,
    input: "",
  });
  expect(ran).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("npm install -g @agent-control/isx"),
  });
  expect(existsSync(home(".codex"))).toBe(false);
});
