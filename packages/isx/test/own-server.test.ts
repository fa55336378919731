import { execFileSync } from "node:child_process";
import { fakeClock, memoryFiles, scriptedProcesses } from "@agent-control/base/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ownServer } from "../src/setup/own-server.ts";

const { signal } = new AbortController();

interface Host {
  readonly uid?: number;
  readonly groups?: string;
  readonly script?: string;
  readonly env?: Record<string, string>;
  readonly programs?: readonly string[];
}

function serverOn({
  uid = 1000,
  groups = "me incus-admin",
  script,
  env = {},
  programs = ["sg", "id"],
}: Host = {}) {
  const files = memoryFiles();
  const program = script ?? "/usr/local/bin/isx";
  for (const path of [program, ...programs.map((name) => `/usr/bin/${name}`)]) {
    files.makeDirectory(path.slice(0, path.lastIndexOf("/")));
    files.write(path, "", { mode: 0o755 });
  }
  const processes = scriptedProcesses(fakeClock(), ({ file, args }) => {
    return file === "/usr/bin/id" && args.join(" ") === `-nG -- ${uid}`
      ? { stdout: `${groups}\n` }
      : undefined;
  });
  const facts = { uid, env: { PATH: "/bin:/usr/bin", ...env }, program: ["/opt/node", program] };
  return ownServer({ machine: { files, processes }, facts }, signal);
}

it("X-10 runs through sg for a person whom the database has in Incus' group", async () => {
  expect((await serverOn()).argv).toEqual([
    "/usr/bin/sg",
    "incus-admin",
    "-c",
    "exec '/usr/local/bin/isx' mcp",
  ]);
});

it.each<[string, Host]>([
  ["for root", { uid: 0 }],
  ["for a person outside the group", { groups: "me incus incus-admins" }],
  ["without sg", { programs: ["id"] }],
  ["without a way to look at groups", { programs: ["sg"] }],
])("X-10 names isx itself by its absolute path %s", async (_, host) => {
  expect((await serverOn(host)).argv).toEqual(["/usr/local/bin/isx", "mcp"]);
});

it("X-10 names Node.js too where the program is a script that does not start by itself", async () => {
  const argv = ["/opt/node", "/srv/isx/dist/bin.js", "mcp"];
  expect((await serverOn({ uid: 0, script: "/srv/isx/dist/bin.js" })).argv).toEqual(argv);
});

it("X-10 gives a shell that reads the line exactly the words of the program", async () => {
  const name = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
    .filter((text) => !/[\0/]|^\.+$/.test(text));
  await fc.assert(
    fc.asyncProperty(name, async (directory) => {
      const script = `/srv/${directory}/bin.js`;
      const [, , , line = ""] = (await serverOn({ script })).argv;
      // The shell's own words, NUL after each, instead of starting them.
      const shown = execFileSync("/bin/sh", ["-c", line.replace(/^exec/, "printf '%s\\0'")]);
      expect(shown.toString().split("\0")).toEqual(["/opt/node", script, "mcp", ""]);
    }),
    { numRuns: 50 },
  );
});

it("X-10 carries where files and Incus are, only when that is set", async () => {
  const env = { XDG_CONFIG_HOME: "/c d", XDG_STATE_HOME: "/s", INCUS_SOCKET: "/i.socket" };
  expect((await serverOn({ env: { ...env, SECRET: "x" } })).env).toEqual(env);
  expect((await serverOn({ env: { XDG_STATE_HOME: "" } })).env).toEqual({});
});

it("X-10 refuses a copy that npx made", async () => {
  const script = "/home/me/.npm/_npx/1f2e/node_modules/.bin/isx";
  await expect(serverOn({ script })).rejects.toMatchObject({
    outcome: "refused",
    code: "program-temporary",
    next: "Install isx with npm install -g @agent-control/isx, then run this again",
  });
});
