import { parse } from "smol-toml";
import { expect, it } from "vitest";
import { codexServer } from "../src/codex-server.ts";
import { opencodeServer } from "../src/opencode-server.ts";
import { applyEdits, claudeServer, type ManagedFile, type ServerEntry } from "../src/setup.ts";

const server: ServerEntry = {
  name: "isx",
  argv: ["/usr/bin/sg", "incus-admin", "-c", "exec '/home/it'\\''s \"me\"/isx' mcp"],
  env: { XDG_STATE_HOME: '/home/a "b" \\ $c', INCUS_SOCKET: "/run/x" },
  passedOn: [],
  writtenBy: "isx mcp register codex",
  replaces: "any",
};
const codex = codexServer("config.toml", { server, approve: false });
const opencode = opencodeServer("opencode.json", server);
const added = (file: ManagedFile, text: string) => applyEdits(text, file.add(text)).text;
const codexEntry = {
  command: "/usr/bin/sg",
  args: server.argv.slice(1),
  env: server.env,
  tool_timeout_sec: 660,
};

it("X-10 writes an entry with its variables for Codex, once", () => {
  const text = added(codex, 'model = "x"\n');
  expect(parse(text)).toEqual({ model: "x", mcp_servers: { isx: codexEntry } });
  expect(codex.add(text)).toEqual([]);
  expect(codex.entries(text)).toEqual([server.argv]);
});

it.each([
  '[mcp_servers.isx]\ncommand = "old"\n',
  '[mcp_servers.isx]\ncommand = "old"\n\n[mcp_servers.isx.env]\nA = "b"\n',
  '[ mcp_servers . \'isx\' ] # mine\ncommand = "old"\nargs = [\n  "a",\n]\n',
])("X-10 replaces Codex's entry %j that another hand wrote, and nothing around it", (entry) => {
  const before = '# top\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "keep"\n\n';
  const after = '\n# about b\n[mcp_servers.isxb]\ncommand = "keep too"\n';
  const text = added(codex, before + entry + after);
  expect(parse(text)).toEqual({
    model: "x",
    mcp_servers: { other: { command: "keep" }, isxb: { command: "keep too" }, isx: codexEntry },
  });
  expect(text.startsWith(before)).toBe(true);
  expect(text).toContain(after);
});

it.each(['mcp_servers.isx.command = "old"\n', '[mcp_servers]\nisx = { command = "old" }\n'])(
  "X-10 refuses Codex's entry %j, which lines cannot replace",
  (text) => {
    expect(() => codex.add(text)).toThrow(/has an MCP server isx/);
  },
);

it("X-10 does not take a line of some text for a table of ours", () => {
  const text = 'note = """\n[mcp_servers.isx]\nsecret\n"""\n[mcp_servers.isx]\ncommand = "old"\n';
  expect(() => codex.add(text)).toThrow(/cannot be edited safely/);
});

it("X-10 replaces opencode's entry whoever wrote it, and nothing around it", () => {
  const other = '{"theme": "x", "mcp": {"a": {"type": "remote"}, "isx": {"type": "remote", "url": "y"}}}';
  const text = added(opencode, other);
  expect(JSON.parse(text)).toEqual({
    theme: "x",
    mcp: {
      a: { type: "remote" },
      isx: { type: "local", command: server.argv, environment: server.env, enabled: true, timeout: 660_000 },
    },
  });
  expect(opencode.add(text)).toEqual([]);
});

it("X-10 knows Claude Code's entry by argv and variables, and gives both when it adds it", () => {
  const place = { home: "/home/me", env: {} };
  const claude = claudeServer(place, server);
  expect(claude.add).toEqual([
    ...["mcp", "add", "--scope", "user", "isx"],
    ...["-e", 'XDG_STATE_HOME=/home/a "b" \\ $c', "-e", "INCUS_SOCKET=/run/x", "--", ...server.argv],
  ]);
  const [command, ...args] = server.argv;
  const written = (env: object) => JSON.stringify({ mcpServers: { isx: { command, args, env } } });
  expect(claude.registered(written(server.env))).toMatchObject({ own: true, isCurrent: true });
  expect(claude.registered(written({}))).toMatchObject({ own: true, isCurrent: false });
  expect(claude.registered('{"mcpServers": {"isx": {"url": "x"}}}')).toMatchObject({ isCurrent: false });
  expect(claude.registered("{}")).toBeUndefined();
});
