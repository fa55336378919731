import { afterEach, beforeEach, expect, it } from "vitest";
import type { Attachment, Multiplexer, PaneRef, PaneSeen, SessionRef, Target } from "../src/index.ts";
import { until } from "./until.ts";

export type Disturbance = "in-mode" | "input-off" | "synchronized";

/** A multiplexer with one free socket, and hands that reach behind its port. */
export interface Bench {
  readonly multiplexer: Multiplexer;
  /** The same world, given up on after a fraction of a second. */
  readonly impatient: Multiplexer;
  readonly socket: string;
  /** A program that does nothing for long. */
  readonly idle: readonly string[];
  /** A program that asks for bracketed paste, prints "ready", keeps what it reads, and ends with status 3 when told. */
  readonly reader: readonly string[];
  /** Resolves when the reader in the pane has asked for bracketed paste. */
  ready(pane: PaneRef): Promise<void>;
  /** What the reader in the pane has read so far. */
  received(pane: PaneRef): Promise<string>;
  /** The pane at the front of the session. */
  focused(session: SessionRef): Promise<string | undefined>;
  /** Runs the attachment on a terminal of its own. */
  attach(attachment: Attachment): Promise<void>;
  /** How many terminals show the session. */
  watchers(session: SessionRef): Promise<number>;
  end(pane: PaneRef): Promise<void>;
  disturb(pane: PaneRef, how: Disturbance, on: boolean): Promise<void>;
  /** Kills the server with all its sessions. */
  killServer(): Promise<void>;
  /** The server runs but answers nobody. */
  setSilent(silent: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** What every implementation of the port does, as far as its capabilities go. */
export function multiplexerContract(startBench: () => Promise<Bench>): void {
  let bench: Bench;
  let multiplexer: Multiplexer;

  beforeEach(async () => {
    bench = await startBench();
    multiplexer = bench.multiplexer;
  });
  afterEach(() => bench.stop());

  const createSession = (name = "work", argv = bench.idle) =>
    multiplexer.createSession({ socket: bench.socket, name, argv });

  const open = (session: SessionRef, keepWhenDead = false) =>
    multiplexer.open({ session, argv: bench.reader, name: "agent", keepWhenDead });

  const look = async (pane: PaneRef): Promise<PaneSeen | undefined> =>
    (await multiplexer.panes(pane.session))?.find(({ paneId }) => paneId === pane.paneId);

  async function aim(pane: PaneRef): Promise<Target> {
    await bench.ready(pane);
    const server = await until("the server", () => multiplexer.server(pane.session.socket));
    const seen = await until("the pane", () => look(pane));
    return { pane, serverPid: server.pid, panePid: seen.pid };
  }

  async function openAndAim(keepWhenDead = false): Promise<Target> {
    const { session } = await createSession();
    return aim(await open(session, keepWhenDead));
  }

  const receives = (target: Target, text: string) =>
    until(JSON.stringify(text.slice(0, 40)), async () => (await bench.received(target.pane)) === text);

  const expectNothingDone = async (target: Target, obstacle: string) => {
    const refused = { done: false, obstacle };
    expect(await multiplexer.paste(target, "text")).toEqual(refused);
    expect(await multiplexer.pressEnter(target)).toEqual(refused);
    expect(await multiplexer.pressKey(target, "C-c")).toEqual(refused);
  };

  it("sees no server, no session and no pane on a free socket, and starts none by looking", async () => {
    const session = { socket: bench.socket, id: "$0", name: "work" };
    const pane = { session, paneId: "%0" };
    const target = { pane, serverPid: 4_000_000, panePid: 4_000_001 };
    expect(await multiplexer.panes(session)).toBeUndefined();
    expect(await multiplexer.screen(pane)).toBeUndefined();
    expect(await multiplexer.focus(pane)).toBe(false);
    await multiplexer.release(pane);
    await multiplexer.close(pane);
    await expectNothingDone(target, "gone");
    await expect(open(session)).rejects.toMatchObject({ outcome: "exited", code: "session-gone" });
    expect(await multiplexer.sessions(bench.socket)).toEqual([]);
    expect(await multiplexer.server(bench.socket)).toBeUndefined();
  });

  it("creates a session that its list, its server and its only pane show", async () => {
    const pane = await createSession();
    expect(await multiplexer.sessions(bench.socket)).toEqual([pane.session]);
    expect(pane.session).toMatchObject({ socket: bench.socket, name: "work" });
    expect(await multiplexer.server(bench.socket)).toMatchObject({ pid: expect.any(Number) });
    expect((await multiplexer.panes(pane.session))?.map(({ paneId }) => paneId)).toEqual([pane.paneId]);
    expect(await look(pane)).toMatchObject({
      dead: false,
      inMode: false,
      inputOff: false,
      synchronized: false,
    });
  });

  it("refuses a second session with the same name and leaves the first alone", async () => {
    const pane = await createSession();
    await expect(createSession()).rejects.toMatchObject({ outcome: "refused", code: "session-exists" });
    expect(await multiplexer.sessions(bench.socket)).toEqual([pane.session]);
  });

  it("T-27 shows exactly that session on the terminal that runs its attachment", async () => {
    const { session } = await createSession();
    const longer = await createSession("work-2");
    await bench.attach(multiplexer.attachment(session));
    await until("the terminal", async () => (await bench.watchers(session)) === 1);
    expect(await bench.watchers(longer.session)).toBe(0);
  });

  it("T-11 lists the panes of exactly one session", async () => {
    const first = await createSession("one");
    const second = await createSession("two");
    const opened = await open(second.session);
    const ids = async (session: SessionRef) =>
      (await multiplexer.panes(session))?.map(({ paneId }) => paneId);
    expect(await ids(first.session)).toEqual([first.paneId]);
    expect(await ids(second.session)).toEqual([second.paneId, opened.paneId]);
    expect(await ids({ ...first.session, id: "$99" })).toBeUndefined();
  });

  it("T-17 opens a pane without moving the focus, and creates no session", async () => {
    const home = await createSession();
    const pane = await open(home.session);
    expect(await bench.focused(home.session)).toBe(home.paneId);
    await multiplexer.close(home);
    await multiplexer.close(pane);
    expect(await multiplexer.panes(home.session)).toBeUndefined();
    await expect(open(home.session)).rejects.toMatchObject({ outcome: "exited", code: "session-gone" });
    expect(await multiplexer.sessions(bench.socket)).toEqual([]);
  });

  it("T-10 refuses an argv for a shell and names that could mean something", async () => {
    const { session } = await createSession();
    const request = { session, argv: bench.idle, name: "agent", keepWhenDead: false };
    const refuses = (changed: object, code: string) =>
      expect(multiplexer.open({ ...request, ...changed })).rejects.toMatchObject({ outcome: "usage", code });
    await refuses({ argv: ["sh"] }, "argv-too-short");
    await refuses({ argv: ["sh", "a\0b"] }, "bad-argv");
    for (const name of ["", "#(id)", "a b", "a".repeat(65)]) {
      await refuses({ name }, "bad-pane-name");
    }
    const bad = { socket: bench.socket, name: "a\nb", argv: bench.idle };
    await expect(multiplexer.createSession(bad)).rejects.toMatchObject({ code: "bad-session-name" });
    expect(await multiplexer.panes(session)).toHaveLength(1);
  });

  it("T-17 keeps the dead pane with its status until it is released", async () => {
    const { pane } = await openAndAim(true);
    await bench.end(pane);
    await until("the dead pane", async () => (await look(pane))?.dead);
    await until("its status", async () => (await look(pane))?.deadStatus === 3);
    expect(await multiplexer.screen(pane)).toBeDefined();
    await multiplexer.release(pane);
    expect(await look(pane)).toBeUndefined();
    await multiplexer.release(pane);
  });

  it("closes a pane with its program unless it was to be kept, also after a release", async () => {
    const { session } = await createSession();
    const plain = await open(session);
    const released = await open(session, true);
    await multiplexer.release(released);
    for (const pane of [plain, released]) {
      await bench.ready(pane);
      await bench.end(pane);
      await until("the pane to go", async () => (await look(pane)) === undefined);
    }
    expect(await multiplexer.panes(session)).toHaveLength(1);
  });

  it("T-18 pastes the text as one bracketed paste and presses Enter apart from it", async () => {
    const target = await openAndAim();
    const text = "first line\nsecond; #{pane_id} 'quoted' $HOME\ttab;";
    expect(await multiplexer.paste(target, text)).toEqual({ done: true });
    await receives(target, `\u001b[200~${text}\u001b[201~`);
    expect(await multiplexer.pressEnter(target)).toEqual({ done: true });
    await receives(target, `\u001b[200~${text}\u001b[201~\r`);
  });

  it("sends Escape and C-c as the keys they are", async () => {
    const target = await openAndAim();
    expect(await multiplexer.pressKey(target, "C-c")).toEqual({ done: true });
    await receives(target, "\u0003");
    expect(await multiplexer.pressKey(target, "Escape")).toEqual({ done: true });
    await receives(target, "\u0003\u001b");
  });

  it("refuses empty text and text over the limit before it does anything", async () => {
    const target = await openAndAim();
    const long = "x".repeat(multiplexer.capabilities.maxPasteBytes + 1);
    await expect(multiplexer.paste(target, "")).rejects.toMatchObject({
      outcome: "usage",
      code: "empty-text",
    });
    await expect(multiplexer.paste(target, long)).rejects.toMatchObject({ code: "text-too-long" });
    await multiplexer.pressEnter(target);
    await receives(target, "\r");
  });

  it.each(["in-mode", "input-off", "synchronized"] as const)(
    "T-18 gives a pane that is %s nothing, says so, and serves it again afterwards",
    async (how) => {
      const target = await openAndAim();
      await bench.disturb(target.pane, how, true);
      const field = ({ "in-mode": "inMode", "input-off": "inputOff", synchronized: "synchronized" } as const)[
        how
      ];
      expect(await look(target.pane)).toMatchObject({ [field]: true });
      await expectNothingDone(target, how);
      await bench.disturb(target.pane, how, false);
      await multiplexer.pressEnter(target);
      await receives(target, "\r");
    },
  );

  it("T-18 gives a dead pane nothing, and the server lives on", async () => {
    const target = await openAndAim(true);
    await bench.end(target.pane);
    await until("the dead pane", async () => (await look(target.pane))?.dead);
    await expectNothingDone(target, "dead");
    expect(await multiplexer.server(bench.socket)).toMatchObject({ pid: target.serverPid });
  });

  it("T-11 gives nothing to another process, another server or another session's pane", async () => {
    const target = await openAndAim();
    const other = await createSession("other");
    await expectNothingDone({ ...target, panePid: 4_000_001 }, "other-process");
    await expectNothingDone({ ...target, serverPid: 4_000_001 }, "other-server");
    await expectNothingDone({ ...target, pane: { ...target.pane, session: other.session } }, "gone");
    await expectNothingDone({ ...target, pane: { ...target.pane, paneId: "%4000" } }, "gone");
    await multiplexer.pressEnter(target);
    await receives(target, "\r");
  });

  it("T-11 notices that the ids of a restarted server mean something else", async () => {
    const target = await aim(await createSession("work", bench.reader));
    await bench.killServer();
    const again = await createSession("work", bench.reader);
    expect(again).toEqual(target.pane);
    await bench.ready(again);
    await expectNothingDone(target, "other-server");
    expect(await bench.received(again)).toBe("");
  });

  it("T-13 says unavailable, never absent, of a server that does not answer", async () => {
    const target = await openAndAim();
    await bench.setSilent(true);
    const { impatient } = bench;
    const unavailable = { outcome: "unavailable", code: "multiplexer-timeout" };
    await Promise.all([
      expect(impatient.server(bench.socket)).rejects.toMatchObject(unavailable),
      expect(impatient.sessions(bench.socket)).rejects.toMatchObject(unavailable),
      expect(impatient.panes(target.pane.session)).rejects.toMatchObject(unavailable),
      expect(impatient.screen(target.pane)).rejects.toMatchObject(unavailable),
      expect(impatient.pressEnter(target)).rejects.toMatchObject(unavailable),
      expect(impatient.focus(target.pane)).rejects.toMatchObject(unavailable),
    ]);
    await bench.setSilent(false);
    expect(await look(target.pane)).toBeDefined();
  });

  it("shows the visible screen row by row", async () => {
    const { pane } = await openAndAim();
    const screen = await until("the screen", async () => {
      const seen = await multiplexer.screen(pane);
      return seen?.lines[0]?.startsWith("ready") ? seen : undefined;
    });
    expect(screen.lines).toHaveLength(screen.height);
    expect(screen.lines.some((line) => line.endsWith(" "))).toBe(false);
    expect(screen.lines.at(-1)).toBe("");
    expect(await multiplexer.screen({ ...pane, paneId: "%4000" })).toBeUndefined();
  });

  it("brings a pane to the front of its own session only", async () => {
    const { session } = await createSession();
    const other = await createSession("other");
    const pane = await open(session);
    expect(await multiplexer.focus(pane)).toBe(true);
    expect(await bench.focused(session)).toBe(pane.paneId);
    expect(await multiplexer.focus({ ...pane, session: other.session })).toBe(false);
    expect(await bench.focused(other.session)).toBe(other.paneId);
  });

  it("closes exactly one pane, and nothing through another session", async () => {
    const { session } = await createSession();
    const other = await createSession("other");
    const pane = await open(session);
    await multiplexer.close({ ...pane, session: other.session });
    expect(await look(pane)).toBeDefined();
    await multiplexer.close(pane);
    await multiplexer.close(pane);
    expect(await multiplexer.panes(session)).toHaveLength(1);
    expect(await multiplexer.panes(other.session)).toHaveLength(1);
  });
}
