import { spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { runProgram } from "../shared/run-program.ts";
import { createAgentsPlace } from "./agents-place.ts";
import { createPlace, incusIt, type Place, program } from "./world.ts";

let place: Place;
afterEach(() => place.close());

interface Row {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly next?: string;
}

async function doctor(env?: Record<string, string>) {
  const ran = await place.cli(["doctor", "--json"], env ? { env } : {});
  const { rows } = JSON.parse(ran.stdout) as { rows: Row[] };
  return { code: ran.code, rows, of: (check: string) => rows.filter((row) => row.check === check) };
}

it("C-05 X-86 says that Incus is missing, what Incus' group means, and how to keep an agent to the tools", async () => {
  place = createPlace();
  const { code, of } = await doctor();
  expect(code).toBe(1);
  expect(of("Incus")).toMatchObject([
    { level: "fail", next: expect.stringContaining("systemctl start incus") },
  ]);
  const [access] = of("host access");
  expect(access).toMatchObject({ level: "note", message: expect.stringMatching(/incus-admin .* root may/) });
  const snippet = access?.next?.slice(access.next.indexOf("{")) ?? "";
  expect(JSON.parse(snippet)).toEqual({
    permissions: {
      allow: ["mcp__isx__*"],
      deny: ["Bash(isx:*)", "Edit(~/.config/incus-spawn/**)", "Write(~/.config/incus-spawn/**)"],
    },
  });
});

it("C-05 tells a stopped Incus from a missing one", async () => {
  place = createPlace();
  const socket = join(place.root, "i.socket");
  await leaveSocket(socket);
  const { of } = await doctor({ INCUS_SOCKET: socket });
  expect(of("Incus")).toMatchObject([
    { level: "fail", message: `Incus is stopped: nobody listens at ${socket}` },
  ]);
});

/** A socket whose server was killed. */
async function leaveSocket(path: string): Promise<void> {
  const script = "require('node:net').createServer().listen(process.argv[1], () => console.log('up'))";
  const child = spawn(process.execPath, ["-e", script, path], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("close", resolve));
}

it.skipIf(process.getuid?.() !== 0)(
  "C-05 X-02 tells a person whom Incus is closed to what to do",
  async () => {
    place = createPlace();
    chmodSync(place.root, 0o755);
    const home = join(place.root, "person");
    const closed = join(place.root, "closed");
    mkdirSync(home);
    chownSync(home, nobody, nobody);
    mkdirSync(closed, { mode: 0o700 });
    await leaveSocket(join(closed, "unix.socket"));
    const ran = await runProgram(
      [
        "setpriv",
        `--reuid=${nobody}`,
        `--regid=${nobody}`,
        "--clear-groups",
        process.execPath,
        program,
        "doctor",
      ],
      {
        env: { PATH: place.env["PATH"] ?? "", HOME: home, INCUS_SOCKET: join(closed, "unix.socket") },
        input: "",
        cwd: "/",
      },
    );
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(
      /fail {2}Incus: This user may not use Incus at .*\n.*group incus-admin.*new login/,
    );
  },
);

const nobody = 65_534;

incusIt("C-05 says that Incus answers, and is fine with nothing but notes", async () => {
  place = createPlace({ INCUS_SOCKET: process.env["INCUS_SOCKET"] ?? "" });
  const { code, rows, of } = await doctor();
  expect(of("Incus")).toMatchObject([{ level: "ok", message: expect.stringMatching(/^Incus 6\./) }]);
  expect(of("mcp.yaml")).toMatchObject([{ level: "note", next: "Run isx mcp setup if you want them to" }]);
  expect(rows.filter(({ level }) => level === "fail")).toEqual([]);
  expect(code).toBe(0);
});

it("C-05 X-08 says what is wrong in mcp.yaml and config.yaml", async () => {
  place = createPlace();
  place.writeMcp("max-instances: 1.5\n");
  place.writeConfig("serchPaths: []\n");
  const { of } = await doctor();
  expect(of("mcp.yaml")).toMatchObject([
    { level: "fail", message: expect.stringContaining("mcp.yaml:1:16: max-instances must be") },
  ]);
  expect(of("config.yaml")).toMatchObject([
    { level: "fail", message: expect.stringContaining("did you mean searchPaths?") },
  ]);
});

it("C-05 X-09 notes approved, unknown and obsolete things in mcp.yaml, and who may write it", async () => {
  place = createPlace();
  place.writeConfig("mcp: {}\n");
  place.writeMcp("templates: [tpl-agent, tpl-gone]\ncodex: {sandbox-mode: x}\n");
  chmodSync(place.mcpFile, 0o666);
  const { of } = await doctor();
  expect(of("mcp.yaml").map(({ level, message }) => `${level} ${message}`)).toEqual([
    "ok Agents may use tpl-agent, tpl-gone",
    `warn Other users may write ${place.mcpFile}, and so approve templates`,
    "warn mcp.yaml approves tpl-gone, but no template has that name",
    "note mcp.yaml has keys without effect: codex; delete them",
    "note config.yaml has an mcp: section, which has no effect; delete it",
  ]);
});

it("C-05 X-09 fails while config.yaml has the old section and there is no mcp.yaml", async () => {
  place = createPlace();
  place.writeConfig("mcp: {}\n");
  expect((await doctor()).of("mcp.yaml")).toMatchObject([{ level: "fail" }]);
});

it("C-05 X-10 tells missing, current, other and broken registrations apart", async () => {
  place = createAgentsPlace(["codex", "opencode"]);
  const codex = join(place.env["HOME"] ?? "", ".codex", "config.toml");
  expect((await doctor()).of("Claude Code")).toMatchObject([
    { level: "note", message: "Claude Code is not on PATH" },
  ]);
  expect((await doctor()).of("Codex")).toMatchObject([{ level: "note", next: "Run isx mcp register codex" }]);
  await place.cli(["mcp", "register", "codex"]);
  await place.cli(["mcp", "register", "opencode"]);
  const current = await doctor();
  expect([current.of("Codex")[0]?.level, current.of("opencode")[0]?.level]).toEqual(["ok", "ok"]);
  const moved = await doctor({ XDG_STATE_HOME: join(place.root, "elsewhere") });
  expect(moved.of("Codex")).toMatchObject([{ level: "warn", next: "Run isx mcp register codex" }]);
  mkdirSync(dirname(codex), { recursive: true });
  writeFileSync(codex, `[mcp_servers.isx]\ncommand = "/gone/isx"\nargs = ["${program}"]\n`);
  expect((await doctor()).of("Codex")).toMatchObject([
    { level: "fail", message: `${codex} leads to /gone/isx, which does not exist` },
  ]);
});

it("C-30 audit show, verify and head look at the log of the server's calls", async () => {
  place = createPlace();
  const client = await place.connect();
  await client.call("list_templates", {});
  const shown = await place.cli(["audit", "show"]);
  expect(shown.stdout).toContain("list_templates");
  expect(JSON.parse((await place.cli(["audit", "show", "--json"])).stdout).lines).toHaveLength(1);
  const head = (await place.cli(["audit", "head"])).stdout.trim();
  expect(head).toMatch(/^1:[0-9a-f]{64}$/);
  expect((await place.cli(["audit", "verify", "--from", head])).code).toBe(0);
  const log = join(place.stateDirectory, "mcp.log");
  writeFileSync(log, `${JSON.stringify({ ...place.auditLines()[0], outcome: "changed" })}\n`);
  expect(await place.cli(["audit", "verify"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("mcp.log:1: line 1 is not as it was written"),
  });
});
