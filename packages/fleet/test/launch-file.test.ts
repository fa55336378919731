import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isClaimed, type Launch, launchId, parseLaunch, renderLaunch } from "../src/index.ts";
import { sampleLaunch } from "./world.ts";

const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0"));
const id = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(launchId);
const path = text.map((rest) => `/${rest}`);
const pid = fc.integer({ min: 2, max: 4_194_304 });
const when = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
  .map((date) => date.toISOString());
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/);
const anyLaunch: fc.Arbitrary<Launch> = fc
  .record<Launch>({
    schema: fc.constant(1 as const),
    id,
    profile: text,
    harness: fc.constantFrom("claude", "codex", "pi", "opencode", "none"),
    argv: fc
      .tuple(
        text.filter((word) => word !== "" && !word.includes("=")),
        fc.array(text),
      )
      .map(([head, rest]) => [head, ...rest]),
    env: fc.dictionary(name, text),
    ...{
      cwd: path,
      baseDirectory: path,
      configFile: path,
      stateDirectory: path,
      runtimeDirectory: path,
      socket: path,
    },
    multiplexer: fc.constantFrom("tmux", "zellij"),
    session: fc.record({ id: text, name: text }),
    paneId: optional(text),
    server: optional(fc.record({ pid, start: text })),
    process: optional(fc.record({ pid, start: text, bootId: text })),
    spawnedBy: optional(id),
    createdAt: when,
    claimedAt: optional(when),
    replacedBy: optional(id),
    state: fc.constantFrom("pending", "claimed", "exited", "replaced"),
  })
  .map((launch) => (launch.multiplexer === "tmux" ? withTmuxIds(launch) : launch))
  .filter((launch) => launch.state !== "claimed" || isClaimed(launch));

function withTmuxIds(launch: Launch): Launch {
  const { paneId, session } = launch;
  return {
    ...launch,
    session: { ...session, id: `$${session.id.length}` },
    paneId: paneId === undefined ? undefined : `%${paneId.length}`,
  };
}

const fields = (launch: Launch) => JSON.parse(renderLaunch(launch)) as Record<string, unknown>;
const parsed = (value: unknown) => parseLaunch(Buffer.from(JSON.stringify(value)), sampleLaunch().id);

const claimed = sampleLaunch({
  state: "claimed",
  paneId: "%1",
  server: { pid: 10, start: "1" },
  process: { pid: 11, start: "2", bootId: "b" },
});

describe("a launch file", () => {
  it("T-05 gives back every launch that was written", () => {
    fc.assert(
      fc.property(anyLaunch, (launch) => {
        expect(parseLaunch(Buffer.from(renderLaunch(launch)), launch.id)).toEqual(launch);
      }),
    );
  });

  it("T-05 holds what the documentation names, and nothing else", () => {
    expect(Object.keys(fields(claimed))).toEqual([
      ...["schema", "id", "profile", "harness", "argv", "env", "cwd", "base_dir", "config_file", "state_dir"],
      ...["runtime_dir", "multiplexer", "session", "socket", "pane_id", "server", "process", "spawned_by"],
      ...["created_at", "claimed_at", "replaced_by", "state"],
    ]);
    expect(fields(claimed)["process"]).toEqual({ pid: 11, start: "2", boot_id: "b" });
  });

  it.each<[string, unknown]>([
    ["schema", 2],
    ["id", "abcdefghijklmnopqrstuvwxy2"],
    ["profile", 1],
    ["harness", "cursor"],
    ["argv", []],
    ["argv", ["claude", 1]],
    ["argv", "claude"],
    ["argv", [""]],
    ["argv", ["A=b"]],
    ["argv", ["claude", "\0"]],
    ["env", { A: 1 }],
    ["env", []],
    ["env", { "A=B": "c" }],
    ["env", { A: "\0" }],
    ["cwd", "work"],
    ["cwd", "/wo\0rk"],
    ["base_dir", ""],
    ["config_file", null],
    ["state_dir", "./state"],
    ["runtime_dir", 7],
    ["multiplexer", "screen"],
    ["session", { id: "$0" }],
    ["session", "agents"],
    ["socket", "agents"],
    ["pane_id", 4],
    ["pane_id", "%1;kill-server"],
    ["session", { id: "agents", name: "agents" }],
    ["session", { id: "$0 ;", name: "agents" }],
    ["pane_id", null],
    ["server", { pid: "10", start: "1" }],
    ["server", { pid: 1, start: "1" }],
    ["server", { pid: 10 }],
    ["server", null],
    ["process", { pid: 11, start: "2" }],
    ["process", { pid: 11, start: 2, boot_id: "b" }],
    ["server", { pid: 10, start: 1 }],
    ["process", { pid: 1.5, start: "2", boot_id: "b" }],
    ["process", null],
    ["spawned_by", "somebody"],
    ["created_at", "yesterday"],
    ["claimed_at", 0],
    ["replaced_by", ""],
    ["state", "running"],
  ])("T-11 names %s when it was edited into %j", (key, value) => {
    expect(parsed({ ...fields(claimed), [key]: value })).toEqual({ wrong: `its ${key} is wrong` });
  });

  it.each(Object.keys(fields(claimed)))("T-11 names %s when it is missing", (key) => {
    const { [key]: _, ...rest } = fields(claimed);
    expect(parsed(rest)).toEqual({ wrong: `its ${key} is wrong` });
  });

  it.each([
    ["empty", ""],
    ["torn", renderLaunch(claimed).slice(0, 100)],
    ["a list", "[]"],
    ["null", "null"],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d])],
  ])("C-08 says that a file is no record when it is %s", (_what, bytes) => {
    expect(parseLaunch(Buffer.from(bytes), claimed.id)).toEqual({ wrong: "it is not a JSON object" });
  });

  it("T-11 takes a record under another launch's name for nobody's", () => {
    expect(parseLaunch(Buffer.from(renderLaunch(claimed)), "bbcdefghijklmnopqrstuvwxyz")).toEqual({
      wrong: "its id is wrong",
    });
  });

  it("T-11 reads no field from the prototype", () => {
    expect(parsed(JSON.parse('{"__proto__": {"schema": 1}}'))).toEqual({ wrong: "its schema is wrong" });
  });
});
