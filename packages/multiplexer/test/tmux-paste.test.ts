import { afterAll, beforeAll, expect, it } from "vitest";
import type { PaneRef, Target } from "../src/index.ts";
import { startTmuxBench, type TmuxBench } from "./real-tmux.ts";
import { until } from "./until.ts";

let bench: TmuxBench;
let home: PaneRef;

beforeAll(async () => {
  bench = await startTmuxBench();
  home = await bench.multiplexer.createSession({ socket: bench.socket, name: "work", argv: bench.idle });
});
afterAll(() => bench.stop());

async function openReader(): Promise<Target> {
  const { session } = home;
  const pane = await bench.multiplexer.open({
    session,
    argv: bench.reader,
    name: "agent",
    keepWhenDead: false,
  });
  await bench.ready(pane);
  return bench.aim(pane);
}

const buffers = async () => (await bench.tmux("list-buffers", "-F", "#{buffer_name}")).trim();

const texts = {
  "70 KB": "0123456789abcdef".repeat(4480),
  "as much as one paste carries": "x".repeat(1_000_000),
  CJK: "日本語のテキスト、漢字。한국어",
  "emoji with joiners": "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 é",
  "20 lines": Array.from({ length: 20 }, (_, line) => `line ${line}`).join("\n"),
  "a last newline": "one\n",
  "a line over 4096 bytes": `${"a".repeat(9000)}\nshort`,
  "multi-byte characters across every boundary": "é漢👍".repeat(2000),
  "a trailing ;": "run the tests;",
  "only ;": ";",
  "an escaped ;": "a\\;",
  "a leading -": "-p --help",
  "a format": "#{pane_id} #(id) #[fg=red] #S",
  "a shell command": "!ls",
  "a slash command": "/help",
  quotes: "' \" ` $HOME $(id) \\ {} ~ %1 \t end",
};

it.each(Object.entries(texts))("T-18 delivers %s byte for byte", async (_, text) => {
  const target = await openReader();
  expect(await bench.multiplexer.paste(target, text)).toEqual({ done: true });
  await until("the end of the paste", async () =>
    (await bench.received(target.pane)).endsWith("\u001b[201~"),
  );
  const received = await bench.received(target.pane);
  expect(received === `\u001b[200~${text}\u001b[201~`).toBe(true);
  expect(await buffers()).toBe("");
  await bench.multiplexer.close(target.pane);
});

it("T-18 reaches the pane it means when a person looks at the other half of its window", async () => {
  const target = await openReader();
  const [file = "", ...args] = bench.reader;
  const other = (
    await bench.tmux("split-window", "-P", "-F", "#{pane_id}", "-t", target.pane.paneId, file, ...args)
  ).trim();
  const beside = { session: home.session, paneId: other };
  await bench.ready(beside);
  await bench.multiplexer.paste(target, "for the agent");
  await bench.multiplexer.pressEnter(target);
  await until("the Enter", async () => (await bench.received(target.pane)).endsWith("\r"));
  expect(await bench.received(beside)).toBe("");
});

it("T-18 sees panes that are synchronised with each other and gives neither of them anything", async () => {
  const target = await openReader();
  const [file = "", ...args] = bench.reader;
  const other = (
    await bench.tmux("split-window", "-P", "-F", "#{pane_id}", "-t", target.pane.paneId, file, ...args)
  ).trim();
  const beside = { session: home.session, paneId: other };
  await bench.ready(beside);
  await bench.tmux("set-option", "-w", "-t", other, "synchronize-panes", "on");
  const refused = { done: false, obstacle: "synchronized" };
  expect(await bench.multiplexer.pressEnter(target)).toEqual(refused);
  expect(await bench.multiplexer.paste(target, "text")).toEqual(refused);
  await bench.tmux("set-option", "-w", "-t", other, "synchronize-panes", "off");
  await bench.multiplexer.pressKey(target, "C-c");
  await until("the key", async () => (await bench.received(target.pane)) === "\u0003");
  expect(await bench.received(beside)).toBe("");
});

it("leaves no buffer behind when it pastes nothing", async () => {
  const target = await openReader();
  await bench.tmux("copy-mode", "-t", target.pane.paneId);
  expect(await bench.multiplexer.paste(target, "secret")).toEqual({ done: false, obstacle: "in-mode" });
  await bench.multiplexer.paste({ ...target, serverPid: 1 }, "secret");
  await bench.multiplexer.paste({ ...target, pane: { ...target.pane, paneId: "%4000" } }, "secret");
  expect(await buffers()).toBe("");
});

it("T-18 keeps the text out of every argv", async () => {
  const target = await openReader();
  const log: string[] = [];
  const multiplexer = await bench.recording((args) => log.push(args.join(" ")));
  await multiplexer.paste(target, "not-in-an-argv");
  expect(log.join("\n")).toContain("paste-buffer");
  expect(log.join("\n")).not.toContain("not-in-an-argv");
});

it("serves parallel pastes to several panes without mixing them", async () => {
  const targets = await Promise.all([openReader(), openReader(), openReader()]);
  const text = (index: number) => `${index}`.repeat(20_000);
  await Promise.all(targets.map((target, index) => bench.multiplexer.paste(target, text(index))));
  for (const [index, { pane }] of targets.entries()) {
    const whole = `\u001b[200~${text(index)}\u001b[201~`;
    await until("the whole paste", async () => (await bench.received(pane)) === whole);
  }
});

it("refuses ids that are no ids before they become part of a tmux command", async () => {
  const target = await openReader();
  const { pane } = target;
  const session = { ...pane.session, id: "$0' ; kill-server ; '" };
  const paste = (changed: Target) => bench.multiplexer.paste(changed, "text");
  await expect(paste({ ...target, pane: { ...pane, session } })).rejects.toMatchObject({
    code: "bad-session-id",
  });
  for (const paneId of ["%1' ; kill-server", "", "1", "{last}", "%"]) {
    await expect(paste({ ...target, pane: { ...pane, paneId } })).rejects.toMatchObject({
      code: "bad-pane-id",
    });
  }
  await expect(paste({ ...target, serverPid: Number.NaN })).rejects.toMatchObject({ code: "bad-pid" });
  await expect(paste({ ...target, panePid: undefined })).rejects.toMatchObject({ code: "pane-pid-missing" });
  expect(await bench.multiplexer.panes({ ...home.session })).toBeDefined();
});
