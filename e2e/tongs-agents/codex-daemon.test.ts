import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AgentWorld, createAgentWorld } from "./agent-world.ts";
import { isInstalled } from "./real-agents.ts";
import { program, until } from "./world.ts";

vi.setConfig({ testTimeout: 120_000 });

const refusal = { ok: false, outcome: "refused", exit_code: 5, code: "caller-shared-daemon" };

// Codex as a person starts it, with the daemon that its first session starts and every later one uses.
describe.skipIf(!isInstalled("codex"))("with its managed daemon, Codex", () => {
  let world: AgentWorld;
  let first: string;
  let second: string;
  beforeAll(async () => {
    world = await createAgentWorld("codex", {
      server: "approved",
      flags: ["--sandbox", "danger-full-access"],
    });
    first = await world.launch("lead");
    await trustHooks(first);
    second = await world.launch("lead");
    await world.becomes(second, "done");
  });
  afterAll(async () => {
    for (const pid of daemonPids(world)) process.kill(pid, "SIGKILL");
    await world.close();
  });

  async function trustHooks(launchId: string): Promise<void> {
    await world.shows(launchId, /Hooks need review/);
    // It ignores keys for a moment after it has drawn the question.
    const pressed = () => {
      world.press(launchId, "Down");
      return /› 2\. Trust all/.test(world.screen(launchId));
    };
    await until(pressed, 10_000, "trust is selected");
    world.press(launchId, "Enter");
    await world.becomes(launchId, "done");
  }

  it("T-14 has its servers below a child of whichever session was first, and that one's id in every server", async () => {
    await until(() => serversBelow(world).length >= 2, 20_000, "a server for each session");
    expect(parentOf(daemonPids(world)[0])).toBe(world.record(first).process?.pid);
    expect(new Set(serversBelow(world).map(launchIdOf))).toEqual(new Set([first]));
  });

  it.each(["first", "second"] as const)(
    "T-14 T-32 is refused in its %s session, told of --no-daemon, and audited",
    async (which) => {
      const lead = which === "first" ? first : second;
      const script = `[[call agents_spawn {"profile":"worker"}]][[say ${which} {{result.code}}]]`;
      await world.send(lead, script);
      await world.shows(lead, new RegExp(`${which} caller-shared-daemon`));
      expect(world.toolReplies(script)[0]).toMatchObject({
        ...refusal,
        error: expect.stringContaining("--no-daemon"),
      });
      expect(world.auditLines().at(-1)).toMatchObject({
        actor: "mcp",
        caller: null,
        action: "spawn",
        outcome: "refused",
      });
      expect(readdirSync(join(world.stateDirectory, "launches"))).toHaveLength(2);
    },
  );

  it("T-44 is refused in its shell, too", async () => {
    const cmd = `${process.execPath} ${program} launch worker --json; true`;
    const script = `[[call exec_command ${JSON.stringify({ cmd, yield_time_ms: 20_000 })}]][[say shell {{result}}]]`;
    await world.send(second, script);
    await world.becomes(second, "done");
    expect(world.toolReplies(script)[0]).toMatchObject(refusal);
    const refused = world.auditLines().filter(({ outcome }) => outcome === "refused");
    expect(refused.at(-1)).toMatchObject({ actor: "cli:root", caller: null, action: "spawn" });
  });

  it("T-42 credits no session with what the daemon's hooks report", async () => {
    for (const lead of [first, second])
      expect(await world.becomes(lead, "done")).toMatchObject({ source: "screen" });
    const records = world.statusRecords();
    expect(records).not.toEqual([]);
    for (const record of records) expect(record).not.toHaveProperty("launch_id");
  });

  it("T-31 is warned of by doctor, beside its live session and once that has ended", async () => {
    const warning = { level: "warn", next: expect.stringContaining("--no-daemon") };
    const pid = daemonPids(world)[0];
    const rows = async () => (await world.answer("doctor"))["rows"];
    const row = expect.objectContaining({ ...warning, message: expect.stringContaining(`(pid ${pid})`) });
    expect(await rows()).toContainEqual(row);
    world.tmux("kill-pane", "-t", String(world.record(first).pane_id));
    await until(() => parentOf(pid) === 1, 10_000, "the daemon has lost its parent");
    expect(await rows()).toContainEqual(row);
    const script = '[[call agents_spawn {"profile":"worker"}]][[say orphan {{result.code}}]]';
    await world.send(second, script);
    await world.shows(second, /orphan caller-shared-daemon/);
  });
});

/** The daemon and the program that updates it. */
function daemonPids(world: AgentWorld): number[] {
  const directory = join(world.env["HOME"] ?? "", ".codex", "app-server-daemon");
  return ["daemon.pid", "daemon-updater.pid"]
    .map((name) => join(directory, name))
    .filter((file) => existsSync(file))
    .map((file) => (JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid);
}

function serversBelow(world: AgentWorld): number[] {
  const [daemon] = daemonPids(world);
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parentOf(pid) === daemon && hasWord(pid, "mcp"));
}

function parentOf(pid: number | undefined): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined; // It has ended.
  }
}

function hasWord(pid: number, word: string): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
}

function launchIdOf(pid: number): string | undefined {
  return /(?:^|\0)TONGS_AGENTS_LAUNCH_ID=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, "utf8"))?.[1];
}
