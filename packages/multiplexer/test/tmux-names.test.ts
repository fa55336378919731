import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { findSession } from "../src/session-name.ts";
import { startTmuxBench, type TmuxBench, type TmuxBenchOptions } from "./real-tmux.ts";
import { until } from "./until.ts";

let bench: TmuxBench;

const start = async (options?: TmuxBenchOptions) => {
  bench = await startTmuxBench(options);
  return bench;
};
afterEach(() => bench.stop());

it.each([
  ["spaces in it", "spaces in it"],
  ["demos.expanso.io", "demos_expanso_io"],
  ["Lab at Sat 20:54 PM", "Lab at Sat 20_54 PM"],
  ["=exact", "=exact"],
  ["漢字 café", "漢字 café"],
  ["-d", "-d"],
  ["tail;", "tail;"],
  ["$1", "$1"],
  ["%0", "%0"],
  ["a|b", "a|b"],
  ["back\\slash\\", "back\\\\slash\\\\"],
  ["*", "*"],
  ["#{session_id} ## #", "#{session_id} ## #"],
])("T-11 reaches a session named %j by its id, whatever it is called", async (name, given) => {
  const { multiplexer, socket, idle, tmux } = await start({ env: { LANG: undefined, LC_ALL: undefined } });
  const decoy = await multiplexer.createSession({ socket, name: "decoy", argv: idle });
  await tmux("rename-window", "-t", decoy.paneId, "--", given.replaceAll("#", ""));
  const pane = await multiplexer.createSession({ socket, name, argv: idle });
  expect(pane.session.name).toBe(given);
  const sessions = await multiplexer.sessions(socket);
  expect(findSession(sessions, name, multiplexer.capabilities)).toEqual(pane.session);
  const opened = await multiplexer.open({
    session: pane.session,
    argv: idle,
    name: "a",
    keepWhenDead: false,
  });
  const ids = (await multiplexer.panes(pane.session))?.map(({ paneId }) => paneId);
  expect(ids).toEqual([pane.paneId, opened.paneId]);
  await tmux("rename-session", "-t", pane.session.id, "renamed");
  expect(await multiplexer.panes(pane.session)).toHaveLength(2);
  await expect(multiplexer.createSession({ socket, name: "renamed", argv: idle })).rejects.toMatchObject({
    code: "session-exists",
  });
});

it("T-10 runs no command and expands no format from a session name, a window name or a title", async () => {
  const { multiplexer, socket, directory, tmux } = await start();
  const touched = join(directory, "touched");
  const hostile = `#(touch ${touched})#{pane_id}`;
  const title = `\u001b]2;${hostile} | 1|2\u0007`;
  const argv = ["sh", "-c", `printf '%s' "$1"; exec sleep 1000`, "sh", title];
  const pane = await multiplexer.createSession({ socket, name: hostile, argv });
  expect(pane.session.name).toBe(hostile.replaceAll(".", "_"));
  const windowed = await multiplexer.open({ session: pane.session, argv, name: "-x", keepWhenDead: false });
  expect(await tmux("list-windows", "-t", `${pane.session.id}:`, "-F", "#{window_name}")).toContain("-x\n");
  const seen = await until("the title", async () =>
    (await multiplexer.panes(pane.session))?.find(
      (row) => row.paneId === windowed.paneId && row.title.includes("#"),
    ),
  );
  expect(seen.title).toBe(`${hostile} | 1|2`);
  expect((await multiplexer.screen(windowed))?.title).toBe(`${hostile} | 1|2`);
  expect(existsSync(touched)).toBe(false);
});

it("reads titles with tabs, newlines and escapes in them", async () => {
  const { multiplexer, socket, tmux, idle } = await start();
  const pane = await multiplexer.createSession({ socket, name: "work", argv: idle });
  for (const title of ["a\tb", "a\nb", "a\u001b[31mb", "漢字 ✳ |", "%H:%M"]) {
    await tmux("select-pane", "-t", pane.paneId, "-T", title);
    expect(await multiplexer.panes(pane.session)).toHaveLength(1);
    expect(await multiplexer.screen(pane)).toMatchObject({ width: 80 });
  }
  expect((await multiplexer.panes(pane.session))?.[0]?.title).toBe("%H:%M");
});

it("shows wide characters as they are", async () => {
  const { multiplexer, socket } = await start({ env: { LANG: "C", LC_ALL: undefined } });
  const argv = ["sh", "-c", `printf '%s\\n' "$1"; exec sleep 1000`, "sh", "漢字 ✳ café 👍 │ x   "];
  const pane = await multiplexer.createSession({ socket, name: "work", argv, width: 60, height: 10 });
  const screen = await until("the text", async () => {
    const seen = await multiplexer.screen(pane);
    return seen?.lines[0] ? seen : undefined;
  });
  expect(screen).toMatchObject({ width: 60, height: 10, cursor: { row: 1, column: 0 } });
  expect(screen.lines[0]).toBe("漢字 ✳ café 👍 │ x");
  expect(screen.lines).toHaveLength(10);
});
