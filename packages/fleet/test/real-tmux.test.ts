import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createActivity } from "@agent-control/activity";
import { createTmux, type PaneRef } from "@agent-control/multiplexer";
import { createRateWindow, type Profile } from "@agent-control/policy";
import { createMachine } from "@agent-control/system";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram } from "../../../tools/bundle-program.ts";
import {
  createLaunches,
  type FleetPorts,
  openLaunch,
  sessionOf,
  settleLaunch,
  verifyLaunch,
} from "../src/index.ts";
import { failureOf, profile } from "./world.ts";

const run = promisify(execFile);
const root = realpathSync(mkdtempSync(join(tmpdir(), "fleet ti's $X é ")));
const socket = join(root, "s");
const told = join(root, "told");
const tellsItself = fileURLToPath(new URL("fixtures/tells-itself.mjs", import.meta.url));
const uid = process.getuid?.() ?? 0;
const machine = createMachine({
  onError: (failure) => {
    throw failure;
  },
});
const stateDirectory = join(root, "state dir");

let claims = "";
let ports: FleetPorts;
let home: PaneRef;
let serverPid = 0;

beforeAll(async () => {
  claims = await bundleProgram(fileURLToPath(new URL("fixtures/claims.ts", import.meta.url)), root);
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, CLAUDECODE: "1", TONGS_AGENTS_LAUNCH_ID: "old" };
  const multiplexer = await createTmux({ ...machine, env, uid });
  home = await multiplexer.createSession({ socket, name: "agents", argv: ["sleep", "1000"] });
  serverPid = (await multiplexer.server(socket))?.pid ?? 0;
  ports = {
    ...machine,
    activity: createActivity({ ...machine, directory: join(root, "fleet") }),
    launches: createLaunches(machine, stateDirectory),
    rate: createRateWindow({ ...machine, directory: join(root, "rate") }),
    places: { configFile: join(root, "config.toml"), stateDirectory, runtimeDirectory: join(root, "run") },
    multiplexer: async () => multiplexer,
    claimProgram: [process.execPath, claims],
    uid,
    home: root,
  };
}, 30_000);

afterAll(() => {
  if (serverPid > 0) process.kill(serverPid, "SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

async function spawn(what: Partial<Profile>) {
  rmSync(told, { force: true });
  const opened = await openLaunch(ports, {
    ...{ profile: profile(what), multiplexer: "tmux", session: home.session, baseDirectory: root },
    ...{ spawnedBy: undefined, capOf: undefined, beforeOpening: async () => {} },
  });
  return settleLaunch(ports, opened);
}

const verify = async (id: string) =>
  verifyLaunch({ ...ports, multiplexer: await ports.multiplexer("tmux") }, id);
const panes = async () => (await (await ports.multiplexer("tmux")).panes(home.session))?.length;

describe("a launch in a real tmux", () => {
  it("T-06 T-09 T-17 becomes exactly the profile's program, whose process is the recorded one", async () => {
    const cwd = join(root, "-d #{pane_id} $(id);");
    mkdirSync(cwd);
    const args = ["", "it's", "x;", "a\nb", "$(id)", "`id`", "😀", "-l", "#{pane_id}", ";"];
    const command = [process.execPath, tellsItself, told, ...args];
    const spawned = await spawn({ command, cwd, env: { STAY: "1", A: "it's\n$x;" } });
    expect(spawned).toMatchObject({ state: "running", notices: [] });
    await expect.poll(() => existsSync(told), { timeout: 5_000 }).toBe(true);
    const seen = JSON.parse(readFileSync(told, "utf8"));
    const { launch } = spawned;
    expect(seen).toMatchObject({ args, cwd, pid: launch.process?.pid });
    expect(seen.environ).toEqual(
      expect.arrayContaining([
        "A=it's\n$x;",
        `TONGS_AGENTS_LAUNCH_ID=${launch.id}`,
        `TMUX_PANE=${spawned.pane.paneId}`,
      ]),
    );
    expect(seen.environ.filter((line: string) => /^CLAUDE|^TONGS_AGENTS_LINE/.test(line))).toEqual([]);
    expect(launch.server?.pid).toBe(serverPid);
    expect(await verify(launch.id)).toMatchObject({ target: { serverPid, panePid: seen.pid } });

    // T-07: neither the program itself nor anybody else can claim again.
    const { stderr, status } = spawnSync(process.execPath, [claims, "pane", launch.id, stateDirectory], {
      encoding: "utf8",
    });
    expect({ stderr, status }).toEqual({ stderr: "other-server\n", status: 5 });
    expect(ports.launches.read(launch.id)).toEqual(launch);

    // T-11: the session's name may change, its id does not.
    await run("tmux", ["-S", socket, "rename-session", "-t", sessionOf(launch).id, "agents two"]);
    expect(await verify(launch.id)).toMatchObject({ launch: { id: launch.id } });

    // T-08: the process is gone, and the pane, which was released, with it.
    process.kill(seen.pid, "SIGKILL");
    await expect.poll(panes, { timeout: 5_000 }).toBe(1);
    expect(await failureOf(verify(launch.id))).toMatchObject({ outcome: "exited" });
  });

  it("T-17 tells how a program died as soon as it started, and leaves no pane", async () => {
    const failure = await failureOf(
      spawn({ command: [process.execPath, tellsItself, told], env: { END: "3" } }),
    );
    expect(failure).toMatchObject({ outcome: "exited", code: "died-at-start", details: { status: 3 } });
    expect(failure.details["screen_text"]).toContain("told and gone");
    expect(await panes()).toBe(1);
  });

  it("T-17 tells that a program does not exist", async () => {
    const failure = await failureOf(spawn({ command: ["no-such-program-here"] }));
    expect(failure).toMatchObject({ code: "died-at-start", details: { status: 127 } });
    expect(failure.details["screen_text"]).toContain("no-such-program-here");
  });

  it("T-07 refuses a launch whose record names another pane, and runs nothing of it", async () => {
    const update: typeof ports.launches.update = (id, change) =>
      ports.launches.update(id, (now) => ({ ...change(now), paneId: home.paneId }));
    const lying = { ...ports, launches: { ...ports.launches, update } };
    rmSync(told, { force: true });
    const opened = await openLaunch(lying, {
      ...{ profile: profile({ command: [process.execPath, tellsItself, told] }), multiplexer: "tmux" },
      ...{ session: home.session, baseDirectory: root, spawnedBy: undefined, capOf: undefined },
      beforeOpening: async () => {},
    });
    const failure = await failureOf(settleLaunch(ports, opened));
    expect(failure).toMatchObject({ code: "died-at-start", details: { status: 5 } });
    expect(failure.details["screen_text"]).toContain("other-pane");
    expect(existsSync(told)).toBe(false);
  });
});
