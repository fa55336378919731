import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { execLine, type Launch, launchEnvironment, launcherArgv } from "../src/index.ts";
import { sampleLaunch } from "./world.ts";

const root = mkdtempSync(join(tmpdir(), "launcher-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const tellsItself = fileURLToPath(new URL("fixtures/tells-itself.mjs", import.meta.url));
/** A claiming program that prints the file named first, whatever follows. */
const prints = (file: string) => ["/bin/sh", "-c", 'cat "$0"', file];

const stale = {
  TONGS_AGENTS_LAUNCH_ID: "old",
  TONGS_AGENTS_ANYTHING: "old",
  TONGS_AGENTS_LINE: "old",
  CLAUDECODE: "1",
  CLAUDE_CODE_SESSION_ID: "old",
};
const inherited = { PATH: process.env["PATH"] ?? "", HOME: "/nowhere", KEPT: " $x\n'y' ", command: "kept" };

/** Runs the launcher of the launch in a real shell; what its program says of itself. */
function start(launch: Launch, shell = "/bin/sh") {
  const file = join(root, "line");
  const told = join(root, "told");
  rmSync(told, { force: true });
  const environment = { ...inherited, ...stale };
  writeFileSync(file, execLine(launch, Object.keys(environment)));
  const [, ...args] = launcherArgv(prints(file), launch);
  const ended = spawnSync(shell, args, { env: environment, encoding: "utf8" });
  const {
    args: argv,
    cwd,
    environ,
    pid,
  } = existsSync(told) ? JSON.parse(readFileSync(told, "utf8")) : ({} as never);
  const env = Object.fromEntries(
    ((environ ?? []) as string[]).map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
  return { argv, cwd, env, isSameProcess: pid === ended.pid, status: ended.status, stderr: ended.stderr };
}

const program = [process.execPath, tellsItself, join(root, "told")];
const nasty = [
  ...[
    "",
    " ",
    "'",
    "''",
    '"',
    "\\",
    "\n",
    "\n\n",
    "$(id)",
    "`id`",
    "$HOME",
    "x;",
    ";",
    "-x",
    "--",
    "a=b",
    "#{pane_id}",
  ],
  ...[
    "!",
    "*",
    "~",
    "é漢😀👩‍👩‍👧",
    "\u001b[31m",
    "\r",
    "\t",
    "a\nb\n",
    "'$(touch x)'",
    "\\'",
    "%s",
    "&& exit 3",
  ],
];
const word = fc
  .array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: "grapheme", maxLength: 5 })), { maxLength: 4 })
  .map((parts) => parts.join("").replaceAll("\0", ""));

describe("the launcher", () => {
  it("T-09 gives argv, environment and directory byte for byte, as one process", () => {
    const name = fc
      .stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/)
      .filter((each) => !/^(PATH|PWD|OLDPWD|END|STAY|NODE_.*)$/.test(each));
    let count = 0;
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 6 }),
        fc.dictionary(name, word),
        word,
        (args, env, directory) => {
          count += 1;
          const cwd = join(root, String(count), `-${directory.replaceAll("/", "_").slice(0, 40)}`);
          mkdirSync(cwd, { recursive: true });
          const launch = sampleLaunch({ argv: [...program, ...args], env, cwd });
          const seen = start(launch);
          expect(seen).toMatchObject({ argv: args, cwd, isSameProcess: true, status: 0, stderr: "" });
          const { PWD: _, OLDPWD: __, ...rest } = seen.env;
          expect(rest).toEqual({ ...inherited, ...env, ...launchEnvironment(launch) });
        },
      ),
      { numRuns: 30 },
    );
  });

  it.each(["/bin/sh", "/bin/bash", "/bin/zsh"].filter(existsSync))("T-09 works where sh is %s", (shell) => {
    const launch = sampleLaunch({ argv: [...program, ...nasty], env: { A: nasty.join("") }, cwd: root });
    expect(start(launch, shell)).toMatchObject({ argv: nasty, cwd: root, isSameProcess: true, status: 0 });
  });

  it("T-09 removes stale names of another launch and of Claude Code, and sets this launch's", () => {
    const launch = sampleLaunch({ argv: program, cwd: root });
    const { env } = start(launch);
    const names = Object.keys(env).filter(
      (name) => name.startsWith("TONGS_AGENTS_") || name.startsWith("CLAUDE"),
    );
    expect(names.sort()).toEqual(["TONGS_AGENTS_CONFIG", "TONGS_AGENTS_LAUNCH_ID", "TONGS_AGENTS_STATE_DIR"]);
    expect(env["TONGS_AGENTS_LAUNCH_ID"]).toBe(launch.id);
  });

  it("T-09 keeps a removed name that the profile itself sets", () => {
    const launch = sampleLaunch({ argv: program, cwd: root, env: { CLAUDECODE: "mine" } });
    expect(start(launch).env["CLAUDECODE"]).toBe("mine");
  });

  it("T-09 starts a program whose name begins with a dash, and one of a single element", () => {
    const bin = join(root, "bin it's");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "tells.sh"),
      `#!/bin/sh\nexec '${process.execPath}' '${tellsItself}' '${join(root, "told")}' "$@"\n`,
      { mode: 0o755 },
    );
    for (const name of ["-u", "two words", "semi;"]) {
      symlinkSync("tells.sh", join(bin, name));
      const env = { PATH: `${bin}:${inherited.PATH}` };
      expect(start(sampleLaunch({ argv: [name], cwd: root, env }))).toMatchObject({ argv: [], status: 0 });
    }
  });

  it("T-09 keeps a symlinked directory as it is written, for $PWD", () => {
    const link = join(root, "link");
    symlinkSync("/tmp", link);
    const seen = start(sampleLaunch({ argv: program, cwd: link }));
    expect(seen.cwd).toBe("/tmp");
    expect(seen.env["PWD"] ?? link).toBe(link);
  });

  it("T-07 runs nothing when the claim is refused, and ends with its status", () => {
    const [shell = "", ...args] = launcherArgv(
      ["/bin/sh", "-c", "echo 'touch ran'; echo refused >&2; exit 5"],
      sampleLaunch(),
    );
    const ended = spawnSync(shell, args, { cwd: root, encoding: "utf8" });
    expect(ended).toMatchObject({ status: 5, stdout: "", stderr: "refused\n" });
    expect(existsSync(join(root, "ran"))).toBe(false);
  });

  it("T-09 runs nothing when the directory is gone", () => {
    const seen = start(sampleLaunch({ argv: program, cwd: join(root, "gone") }));
    expect(seen.argv).toBeUndefined();
    expect(seen.status).not.toBe(0);
  });
});
