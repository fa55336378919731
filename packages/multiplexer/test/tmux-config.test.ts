import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { TmuxBench, TmuxBenchOptions } from "./real-tmux.ts";
import { startTmuxBench } from "./real-tmux.ts";
import { until } from "./until.ts";

let bench: TmuxBench | undefined;
afterEach(() => bench?.stop());

const configs: Record<string, TmuxBenchOptions> = {
  "base-index 1": { config: ["set -g base-index 1", "setw -g pane-base-index 1"] },
  "another prefix": { config: ["set -g prefix C-Space", "unbind C-b"] },
  "a default-command of another shell": { config: ['set -g default-command "fish -l --nonsense"'] },
  "a default-shell that does not exist": { config: ["set -g default-shell /nonexistent/shell"] },
  "mouse on": { config: ["set -g mouse on"] },
  "every pane kept": { config: ["set -g remain-on-exit on"] },
  "window names that programs may change": {
    config: ["set -g allow-rename on", "set -g automatic-rename on"],
  },
  "renumbered windows and other keys": {
    config: ["set -g renumber-windows on", "set -g mode-keys vi", "set -g status-keys vi"],
  },
  "a hook that splits every window": {
    config: ["set-hook -g after-new-window 'split-window -d sleep\\ 1000'"],
  },
  "a config file with an error": { config: ["no-such-command", "set -g base-index 5"] },
  "the environment of another server": { env: { TMUX: "/nonexistent/socket,1,0", TMUX_PANE: "%99" } },
  "no LANG and no LC_ALL": { env: { LANG: undefined, LC_ALL: undefined } },
  "a socket path with spaces and quotes": { socketName: `it's a "$HOME" socket; #{pid}` },
};

it.each(Object.entries(configs))(
  "T-09 T-17 T-18 opens, pastes, submits and reads with %s",
  async (_, options) => {
    bench = await startTmuxBench(options);
    const { multiplexer, socket, reader } = bench;
    const home = await multiplexer.createSession({ socket, name: "work", argv: bench.idle });
    const pane = await multiplexer.open({
      session: home.session,
      argv: [...reader, "a;", ";"],
      name: "agent",
      keepWhenDead: true,
    });
    await bench.ready(pane);
    expect(await bench.focused(home.session)).toBe(home.paneId);
    expect(await bench.tmux("display-message", "-p", "-t", pane.paneId, "#{window_name}")).toBe("agent\n");
    const target = await bench.aim(pane);
    expect(await multiplexer.paste(target, "漢字\nend;")).toEqual({ done: true });
    expect(await multiplexer.pressEnter(target)).toEqual({ done: true });
    const all = "\u001b[200~漢字\nend;\u001b[201~\r";
    await until("the message", async () => (await bench?.received(pane)) === all);
    expect((await multiplexer.screen(pane))?.lines[0]).toBe("ready a; ;");
    expect(await multiplexer.focus(pane)).toBe(true);
    expect(await bench.focused(home.session)).toBe(pane.paneId);
    await bench.end(pane);
    await until("the dead pane", async () =>
      (await multiplexer.panes(home.session))?.some(({ paneId, dead }) => paneId === pane.paneId && dead),
    );
    await multiplexer.close(pane);
    expect((await multiplexer.panes(home.session))?.some(({ paneId }) => paneId === pane.paneId)).toBe(false);
  },
);

it("T-09 starts programs without the person's shell and its rc file", async () => {
  bench = await startTmuxBench({ config: ["set -g default-shell /bin/sh"] });
  const { multiplexer, socket, reader, directory, tmux } = bench;
  const touched = join(directory, "rc-ran");
  const rc = join(directory, "rc");
  writeFileSync(rc, `: > '${touched}'; sleep 2\n`);
  const home = await multiplexer.createSession({
    socket,
    name: "work",
    argv: reader,
    env: { ENV: rc, BASH_ENV: rc },
  });
  const pane = await multiplexer.open({
    session: home.session,
    argv: reader,
    name: "agent",
    keepWhenDead: false,
  });
  await bench.ready(pane);
  expect(await tmux("show-environment", "-t", home.session.id, "ENV")).toBe(`ENV=${rc}\n`);
  expect(existsSync(touched)).toBe(false);
});

it("T-17 keeps the person's own remain-on-exit when a pane is released", async () => {
  bench = await startTmuxBench({ config: ["set -g remain-on-exit on"] });
  const { multiplexer, socket, reader } = bench;
  const { session } = await multiplexer.createSession({ socket, name: "work", argv: bench.idle });
  const pane = await multiplexer.open({ session, argv: reader, name: "agent", keepWhenDead: true });
  await bench.ready(pane);
  await multiplexer.release(pane);
  await bench.end(pane);
  await until("the dead pane", async () => (await multiplexer.panes(session))?.some(({ dead }) => dead));
});

it("T-17 opens at the end of a session with holes, many windows and a group", async () => {
  bench = await startTmuxBench({ config: ["set -g base-index 1"] });
  const { multiplexer, socket, tmux } = bench;
  const brief = ["sh", "-c", "exit 4"];
  const home = await multiplexer.createSession({ socket, name: "work", argv: bench.idle });
  for (const index of [3, 7, 8, 40])
    await tmux("new-window", "-d", "-t", `${home.session.id}:${index}`, "sleep 1000");
  await tmux("new-session", "-d", "-t", home.session.id, "-s", "grouped");
  const [grouped] = (await multiplexer.sessions(socket)).filter(({ name }) => name === "grouped");
  for (const session of [home.session, grouped ?? home.session]) {
    const pane = await multiplexer.open({ session, argv: brief, name: "brief", keepWhenDead: true });
    const row = await until("the kept pane", async () =>
      (await multiplexer.panes(session))?.find(({ paneId, dead }) => paneId === pane.paneId && dead),
    );
    expect(row.dead).toBe(true);
  }
  expect(await multiplexer.panes(home.session)).toHaveLength(7);
  expect(await bench.focused(home.session)).toBe(home.paneId);
});

it("reads a list of many panes, and each pane once when its window is linked twice", async () => {
  bench = await startTmuxBench();
  const { multiplexer, socket, tmux, reader } = bench;
  const home = await multiplexer.createSession({ socket, name: "work", argv: reader });
  await bench.ready(home);
  await tmux("link-window", "-d", "-s", `${home.session.id}:0`, "-t", `${home.session.id}:5`);
  expect(await multiplexer.panes(home.session)).toHaveLength(1);
  expect(await multiplexer.pressEnter(await bench.aim(home))).toEqual({ done: true });
  await tmux("copy-mode", "-t", home.paneId);
  const refused = { done: false, obstacle: "in-mode" };
  expect(await multiplexer.pressEnter(await bench.aim(home))).toEqual(refused);
  for (let window = 0; window < 60; window += 1)
    await tmux("new-window", "-d", "-t", `${home.session.id}:`, "sleep 1000");
  expect(await multiplexer.panes(home.session)).toHaveLength(61);
});

it("T-13 lists what is there while panes go, and never takes that for an absent session", async () => {
  bench = await startTmuxBench();
  const { multiplexer, socket, idle } = bench;
  const { session } = await multiplexer.createSession({ socket, name: "work", argv: idle });
  const open = () => multiplexer.open({ session, argv: idle, name: "agent", keepWhenDead: false });
  const panes = await Promise.all(Array.from({ length: 12 }, open));
  const closing = Promise.all(panes.map((pane) => multiplexer.close(pane)));
  const lists = await Promise.all(Array.from({ length: 24 }, () => multiplexer.panes(session)));
  await closing;
  expect(lists.every((list) => list !== undefined && list.length >= 1)).toBe(true);
  expect(await multiplexer.panes(session)).toHaveLength(1);
});
