import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { TestClient } from "../shared/test-client.ts";
import {
  paneOf,
  recorderProfile,
  screenOf,
  scriptedProfile,
  spawnScripted,
  untilShown,
} from "./scripted-agents.ts";
import { createStage, type Stage, spawnWorker } from "./stage.ts";
import { createWorld, until, type World } from "./world.ts";

vi.setConfig({ testTimeout: 120_000 });

let world: World;
afterEach(() => world.close());

async function setStage(more: (world: World) => string = () => ""): Promise<Stage> {
  world = createWorld();
  return createStage({ world, control: "mcp_rate_per_minute = 60", more: more(world) });
}

const typed = (text: string) => `\u001b[200~${text}\u001b[201~\r`;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const send = (client: TestClient, launchId: string, text: string) =>
  client.call("agents_send", { launch_id: launchId, text });

/** What the worker read, cut after each Enter, sorted. */
function wholeTexts(): string[] {
  return world
    .workerBytes()
    .toString()
    .split(/(?<=\r)/)
    .sort();
}

const manyLines = Array.from({ length: 20 }, (_, line) => `${line}: #{pane_id} ;`).join("\n");
const exactTexts = {
  "70 KB in one line": "x".repeat(70_000),
  "70 KB in many lines": `${"0123456789abcde\n".repeat(4_375)}end`,
  "a line over 4096 bytes of two-byte characters": `before\n${"é".repeat(5_000)}\nafter`,
  "100 000 bytes of CJK": `${"世".repeat(33_333)}.`,
  CJK: "日本語の文章、中文、한국어",
  "emoji with joiners": "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽",
  "bidi and zero-width characters": "a\u202eb\u200bc\u2066d\ufeff",
  "20 lines": manyLines,
  "a trailing semicolon": "ls;",
  "a lone semicolon": ";",
  "an escaped semicolon": "a\\;",
  "a leading dash": "-n --help",
  "tmux formats": "#{pane_id} #(touch /nowhere) #[fg=red] %1 $0",
  "a shell escape": "!ls",
  "a slash command": "/help",
  "key names": "Enter C-c Escape",
  "quotes and backslashes": `'"\\n\`$(id)\``,
  "tabs and blanks at both ends": "\t  a\tb  ",
  "lines that are blank": "\n\na\n\n",
};

it("T-18 T-20 every kind of text arrives byte for byte in one paste, and the reply's size and hash are its own", async () => {
  const { client } = await setStage((world) => recorderProfile(world, "recorder"));
  const recorder = await spawnWorker(world, client, "recorder");
  let before = 0;
  for (const [kind, text] of Object.entries(exactTexts)) {
    const pasted = text.replace(/\n$/, "");
    const reply = await send(client, recorder, text);
    expect(reply, kind).toMatchObject({
      ok: true,
      bytes: Buffer.byteLength(pasted),
      sha256: sha256(pasted),
      delivery: { landed: true },
    });
    await until(() => world.workerBytes("recorder").at(-1) === 0x0d, 10_000, `Enter after ${kind}`);
    const read = world.workerBytes("recorder");
    expect(read.subarray(before).equals(Buffer.from(typed(pasted))), kind).toBe(true);
    before = read.length;
    await untilShown(world, recorder, "? for shortcuts");
  }
  expect(world.tmux("list-buffers")).toBe("");
});

it("T-20 CRLF becomes LF and one trailing newline is dropped, and size and hash are of what was pasted", async () => {
  const { client } = await setStage((world) => recorderProfile(world, "recorder"));
  const recorder = await spawnWorker(world, client, "recorder");
  const reply = await send(client, recorder, "one\r\ntwo\r\n\r\n");
  expect(reply).toMatchObject({ ok: true, bytes: 8, sha256: sha256("one\ntwo\n") });
  expect(world.workerBytes("recorder").toString()).toBe(typed("one\ntwo\n"));
  expect(world.auditLines().at(-1)).toMatchObject({ bytes: 8, sha256: sha256("one\ntwo\n") });
});

it("T-20 text that would act as keys is refused with its place, and nothing reaches the pane", async () => {
  const { client, worker } = await setStage();
  const refused: readonly (readonly [string, RegExp])[] = [
    ["ab\u001b[201~!rm", /offset 2\b/],
    ["\u001b[200~a", /offset 0\b/],
    ["abc\u009b201~", /offset 3\b/],
    ["a\u001b[20\u001b[201~1~b", /offset 1\b/],
    ["a\u009b20\u009b201~1~", /offset 1\b/],
    ["世\u0000", /offset 1\b/],
    ["\ud83d", /offset 0\b/],
    ["a\udc00b", /offset 1\b/],
    ["a\rb", /offset 1\b/],
    ["a\b", /offset 1\b/],
    ["a\u007f", /offset 1\b/],
    ["a\u0085", /offset 1\b/],
    ["a\u0003", /offset 1\b/],
    ["a\r\nb\u0007", /offset 4\b/],
    ["", /empty/],
    ["\n", /empty/],
    ["\r\n", /empty/],
    ["x".repeat(100_001), /100001/],
    [`${"世".repeat(33_333)}..`, /100001/],
  ];
  for (const [text, place] of refused) {
    const reply = await send(client, worker, text);
    const shown = JSON.stringify(text.slice(0, 20));
    expect(reply, shown).toMatchObject({ ok: false, outcome: "refused", exit_code: 5 });
    expect(reply["error"], shown).toMatch(place);
    expect(world.auditLines().at(-1)).toMatchObject({ action: "send", outcome: "refused" });
  }
  expect(world.workerBytes().length).toBe(0);
  expect(world.tmux("list-buffers")).toBe("");
});

it("T-19 several lines for a program that may take each as its own input are unsupported", async () => {
  const { client, worker } = await setStage();
  expect(await send(client, worker, "one\ntwo")).toMatchObject({
    ok: false,
    outcome: "unsupported",
    exit_code: 6,
  });
  expect(world.workerBytes().length).toBe(0);
});

it("T-18 T-19 a pane in a mode, with input off, synchronised or dead is refused and reads nothing", async () => {
  const { client, worker } = await setStage();
  const pane = paneOf(world, worker);
  const obstacles: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["pane-in-mode", ["copy-mode", "-t", pane], ["send-keys", "-t", pane, "-X", "cancel"]],
    ["pane-input-off", ["select-pane", "-d", "-t", pane], ["select-pane", "-e", "-t", pane]],
    [
      "pane-synchronized",
      ["set-option", "-p", "-t", pane, "synchronize-panes", "on"],
      ["set-option", "-p", "-t", pane, "synchronize-panes", "off"],
    ],
  ];
  for (const [code, make, undo] of obstacles) {
    world.tmux(...make);
    const reply = await send(client, worker, "hello");
    expect(reply, make[0]).toMatchObject({ ok: false, outcome: "refused", exit_code: 5, code });
    world.tmux(...undo);
  }
  expect(world.workerBytes().length).toBe(0);
  expect(await send(client, worker, "at last")).toMatchObject({ ok: true });
  expect(world.workerBytes().toString()).toBe(typed("at last"));
  expect(world.tmux("list-buffers")).toBe("");
});

it("T-18 a pane that is kept with a dead program gets nothing and the tmux server survives", async () => {
  const { client, worker } = await setStage();
  world.tmux("set-option", "-g", "remain-on-exit", "on");
  const server = world.tmux("display-message", "-p", "#{pid}");
  const pane = paneOf(world, worker);
  world.tmux("send-keys", "-t", pane, "C-d");
  const isDead = () => world.tmux("display-message", "-p", "-t", pane, "#{pane_dead}") === "1\n";
  await until(isDead, 10_000, "the pane is dead");
  const before = world.workerBytes();
  expect(await send(client, worker, "hello")).toMatchObject({ ok: false, outcome: "exited", exit_code: 4 });
  expect(world.workerBytes().equals(before)).toBe(true);
  expect(world.tmux("display-message", "-p", "#{pid}")).toBe(server);
});

it("T-18 a mode entered between paste and Enter gives 'pasted, not submitted', which the box then shows", async () => {
  const { client, worker } = await setStage();
  const text = "y".repeat(90_000);
  const reply = send(client, worker, text);
  await until(() => world.workerBytes().includes("\u001b[201~"), 10_000, "the end of the paste");
  world.tmux("copy-mode", "-t", paneOf(world, worker));
  expect(await reply).toMatchObject({
    ok: false,
    outcome: "error",
    exit_code: 1,
    code: "pasted-not-submitted",
  });
  expect((await reply)["error"]).toMatch(/pasted,? (but )?not submitted/);
  expect(world.workerBytes().toString()).toBe(typed(text).slice(0, -1));
});

it("T-18 two senders at once never merge, double or lose a text", async () => {
  const { shell, client, worker } = await setStage();
  const second = await shell.connect();
  await second.initialize();
  const texts = (sender: string) => Array.from({ length: 20 }, (_, index) => `${sender}-${index}`);
  const sendAll = async (sender: TestClient, list: readonly string[]) => {
    for (const text of list) expect(await send(sender, worker, text)).toMatchObject({ ok: true });
  };
  await Promise.all([sendAll(client, texts("a")), sendAll(second, texts("b"))]);
  expect(wholeTexts()).toEqual([...texts("a"), ...texts("b")].map(typed).sort());
});

it("T-18 of a crowd each text arrives whole and once if its reply says so, and not at all if it says busy", async () => {
  const { shell, client, worker } = await setStage();
  const second = await shell.connect();
  await second.initialize();
  const sends = Array.from({ length: 50 }, async (_, index) => {
    const text = `${index}:${"z".repeat(30_000)}`;
    return { text, reply: await send(index % 2 ? client : second, worker, text) };
  });
  const answers = await Promise.all(sends);
  const delivered = answers.filter(({ reply }) => reply["ok"]).map(({ text }) => typed(text));
  const others = answers.filter(({ reply }) => !reply["ok"]).map(({ reply }) => reply);
  expect(wholeTexts()).toEqual(delivered.sort());
  expect(others.length).toBeGreaterThan(0);
  for (const reply of others) expect(reply).toMatchObject({ outcome: "error", code: "busy" });
});

it("C-06 T-18 a sender without XDG_RUNTIME_DIR queues behind the others too", async () => {
  const { client, worker } = await setStage();
  const bare = (text: string) => world.cli(["send", worker, text], { env: { XDG_RUNTIME_DIR: "" } });
  const [one, two] = ["m".repeat(90_000), "p".repeat(90_000)];
  const [reply, ran] = await Promise.all([send(client, worker, one), bare(two)]);
  expect(reply).toMatchObject({ ok: true });
  expect(ran.code).toBe(0);
  expect(wholeTexts()).toEqual([typed(one), typed(two)].sort());
});

it("T-19 an open permission dialog is left alone, and mcp_answer_dialogs types into it", async () => {
  const answering = "mcp_control = true\nmcp_answer_dialogs = true";
  const { client } = await setStage(
    (world) => scriptedProfile(world, "careful") + scriptedProfile(world, "bold", answering),
  );
  const careful = await spawnScripted(world, client, "careful");
  const bold = await spawnScripted(world, client, "bold");
  for (const agent of [careful, bold]) {
    expect(await send(client, agent, "ask")).toMatchObject({ ok: true, delivery: { turn_started: true } });
    await untilShown(world, agent, "Do you want to proceed?");
  }
  const dialog = screenOf(world, careful);
  const refused = await send(client, careful, "1");
  expect(refused).toMatchObject({ ok: false, outcome: "refused", exit_code: 5, code: "dialog-open" });
  expect(screenOf(world, careful)).toBe(dialog);
  expect(await send(client, bold, "1")).toMatchObject({ ok: true });
  await untilShown(world, bold, "Answered");
});

it("C-25 what a dialog says comes in a field of its own, without control, bidi or zero-width characters", async () => {
  const question = "Do you want to proceed?";
  const { client } = await setStage((world) => scriptedProfile(world, "agent"));
  const agent = await spawnScripted(world, client, "agent");
  await send(client, agent, "ask");
  await untilShown(world, agent, question);
  const refused = await send(client, agent, "1");
  expect(refused["error"]).not.toContain(question);
  expect(refused["screen_text"]).toContain(question);
});

it("T-19 a draft that a person left half typed is refused and stands as it was", async () => {
  const { client } = await setStage((world) => scriptedProfile(world, "agent"));
  const agent = await spawnScripted(world, client, "agent");
  world.tmux("send-keys", "-t", paneOf(world, agent), "-l", "half a thou");
  await untilShown(world, agent, "half a thou");
  const before = screenOf(world, agent);
  expect(await send(client, agent, "my prompt")).toMatchObject({
    ok: false,
    outcome: "refused",
    code: "person-typing",
  });
  expect(screenOf(world, agent)).toBe(before);
});

it("T-18 T-19 during a turn a prompt is queued, or refused with mcp_send_while_working = refuse", async () => {
  const waiting = 'mcp_control = true\nmcp_send_while_working = "refuse"';
  const { client } = await setStage(
    (world) => scriptedProfile(world, "queues") + scriptedProfile(world, "refuses", waiting),
  );
  const queues = await spawnScripted(world, client, "queues");
  const refuses = await spawnScripted(world, client, "refuses");
  for (const agent of [queues, refuses]) {
    expect(await send(client, agent, "work 20000")).toMatchObject({ delivery: { turn_started: true } });
  }
  expect(await send(client, queues, "work 1")).toMatchObject({
    ok: true,
    delivery: { prior_turn: "queued" },
  });
  expect(await send(client, refuses, "work 1")).toMatchObject({
    ok: false,
    outcome: "refused",
    exit_code: 5,
    code: "turn-running",
  });
  expect(screenOf(world, refuses)).not.toContain("work 1\n");
});

it("T-18 T-19 a harness that shows no prompt box is refused after 30 s, while other panes are served", async () => {
  const { client, worker } = await setStage((world) =>
    world.workerProfile("blank", 'mcp_control = true\nharness = "claude"'),
  );
  const blank = await spawnWorker(world, client, "blank");
  const started = performance.now();
  const slow = send(client, blank, "hello");
  const locks = join(world.env["XDG_RUNTIME_DIR"] ?? "", "tongs-agents", "panes");
  await until(() => existsSync(locks) && readdirSync(locks).length > 0, 10_000, "the pane is locked");
  const second = send(client, blank, "hello too");
  expect(await send(client, worker, "meanwhile")).toMatchObject({ ok: true });
  expect(performance.now() - started).toBeLessThan(9_000);
  expect(await second).toMatchObject({ ok: false, outcome: "error", code: "busy" });
  expect(await slow).toMatchObject({ ok: false, outcome: "refused", exit_code: 5, code: "not-ready" });
  const took = performance.now() - started;
  expect(took).toBeGreaterThan(29_500);
  expect(took).toBeLessThan(40_000);
  expect(world.workerBytes("blank").length).toBe(0);
});

it("T-20 T-26 the command line sends the same bytes, from an argument and from standard input", async () => {
  const { worker } = await setStage();
  expect((await world.cli(["send", worker, "--", "-n a;"])).code).toBe(0);
  expect((await world.cli(["send", worker.slice(0, 8), "-"], { input: "from a pipe 世;\n" })).code).toBe(0);
  expect((await world.cli(["send", worker, "a\u001b[201~b"])).code).toBe(5);
  expect((await world.cli(["send", worker], { input: "x".repeat(100_001) })).code).toBe(5);
  expect(world.workerBytes().toString()).toBe(typed("-n a;") + typed("from a pipe 世;"));
});
