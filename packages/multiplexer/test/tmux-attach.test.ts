import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createFiles, createRandom } from "@agent-control/system";
import { expect, it, onTestFinished } from "vitest";
import { attachTerminal } from "../src/tmux-attach.ts";
import { startTmuxBench } from "./real-tmux.ts";
import { until } from "./until.ts";

const files = createFiles({ random: createRandom() });

async function start() {
  const bench = await startTmuxBench();
  onTestFinished(() => bench.stop());
  const { session } = await bench.multiplexer.createSession({
    socket: bench.socket,
    name: "work",
    argv: bench.idle,
  });
  return { bench, session };
}

it("T-27 attaches a terminal of no server with its own variables, but those of a server that is gone", async () => {
  const { bench, session } = await start();
  const stale = {
    TMUX: `${bench.directory}/gone,12,0`,
    TMUX_PANE: "%9",
    HOME: "/root",
    TERM: "xterm",
    X: undefined,
  };
  expect(attachTerminal({ files, env: stale }, session)).toEqual({
    argv: ["tmux", "-S", bench.socket, "attach-session", "-t", `${session.id}:`],
    env: { HOME: "/root", TERM: "xterm" },
  });
});

it("T-27 refuses a terminal inside another server, whose socket's name may hold commas", async () => {
  const { bench, session } = await start();
  const other = join(bench.directory, "a,b");
  mkdirSync(other);
  expect(() => attachTerminal({ files, env: { TMUX: `${other},12,0` } }, session)).toThrow(
    expect.objectContaining({ outcome: "refused", code: "terminal-inside-another" }),
  );
});

it("T-27 moves a terminal that is already inside the server, and opens no second one in it", async () => {
  const { bench, session } = await start();
  const other = await bench.multiplexer.createSession({
    socket: bench.socket,
    name: "other",
    argv: bench.idle,
  });
  await bench.attach(bench.multiplexer.attachment(other.session));
  await until("the terminal", async () => (await bench.watchers(other.session)) === 1);
  const [pane] = (await bench.multiplexer.panes(other.session)) ?? [];
  const inside = { TMUX: `${bench.socket},1,1`, TMUX_PANE: pane?.paneId, PATH: process.env["PATH"] };
  const { argv, env } = attachTerminal({ files, env: inside }, session);
  const [file, ...args] = argv;
  const child = spawn(file, args, { env, stdio: "ignore" });
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  expect([await bench.watchers(other.session), await bench.watchers(session)]).toEqual([0, 1]);
});
