import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import { incusIt as it, useGuest } from "./guest-world.ts";

const world = useGuest();
const { run, say } = world;

describe("exec in a real guest", () => {
  it("X-16 runs as agentuser, in a login shell at home, in a unit of its own, in one exec", async () => {
    const before = world.execs();
    const script =
      "id -un; id -Gn; pwd; shopt -q login_shell && echo login; grep -o 'isx-exec-[^/]*' /proc/self/cgroup | sort -u";
    const { stdout, stderr, exitCode } = await run(script);
    expect(world.execs() - before).toBe(1);
    expect({ exitCode, stderr: stderr.text }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout.text.replace(/[0-9a-f]{16}/, "ID").split("\n")).toEqual([
      "agentuser",
      "agentuser",
      "/home/agentuser",
      "login",
      "isx-exec-ID.scope",
      "",
    ]);
  });

  it("X-16 keeps stdout and stderr apart", async () => {
    const { stdout, stderr } = await run("echo out; echo err >&2");
    expect([stdout.text, stderr.text]).toEqual(["out\n", "err\n"]);
  });

  it("X-16 gives hostile text to the command unchanged, and shows none of it in an argv", async () => {
    const hostile = "-n 'a' \"b\" `id` $(id) $HOME \\ \n\t; exit 9 # é \u{1f600}";
    const { stdout } = await run('printf %s "$ISXTEST"; cat', { env: { ISXTEST: hostile }, stdin: hostile });
    expect(stdout.text).toBe(hostile + hostile);
    const secret = await run("sleep 0; grep -lzs 'S3C[R]3T' /proc/[0-9]*/cmdline | wc -l; : S3CR3T", {
      env: { A: "S3CR3T" },
    });
    expect(secret.stdout.text).toBe("0\n");
  });

  it.for([
    ["-x", 127],
    ["--help", 127],
    ["echo a\nexit 3\n", 3],
    ["'", 2],
    ["nope-no-such-program", 127],
    ["/etc/passwd", 126],
    ["exit 255", 255],
    ["exit 125", 125],
    ["kill -TERM $$", 143],
    ["kill -KILL $$", 137],
    ["kill -SEGV $$", 139],
    ["sh -c 'kill -KILL $$'", 137],
  ] as const)("X-16 answers the true exit code of %j: %i", async ([command, code]) => {
    expect((await run(command)).exitCode).toBe(code);
  });

  it("X-16 counts the command's lines from 1 in what bash says about it", async () => {
    const { stderr } = await run("true\nnope");
    expect(stderr.text).toContain("line 2: nope: command not found");
  });

  it("X-16 runs a command of 200 KB and one of many lines", async () => {
    const long = `: '${"x".repeat(200_000)}'; echo done`;
    expect(await say(long)).toBe("done");
    expect(await say("cat <<'EOF'\na\n'b'\nEOF\necho c")).toBe("a\n'b'\nc");
  });

  it("X-16 leaves nothing of its own to the command", async () => {
    const left = await say("compgen -v isx; echo $#; ls /proc/self/fd; compgen -e | grep -i isx");
    expect(left.split("\n")).toEqual(["0", "0", "1", "2", "3", "ISX_UNIT"]);
  });

  it("X-16 lets env win over the profile", async () => {
    const { stdout } = await run('echo "$PATH $command"', {
      env: { PATH: "/x:/bin:/usr/bin", command: "c" },
    });
    expect(stdout.text).toBe("/x:/bin:/usr/bin c\n");
  });

  it("X-16 starts in the directory asked for, relative ones from home", async () => {
    await run("mkdir -p './-odd dir'");
    expect((await run("pwd", { cwd: "/tmp" })).stdout.text).toBe("/tmp\n");
    expect((await run("pwd", { cwd: "-odd dir" })).stdout.text).toBe("/home/agentuser/-odd dir\n");
  });

  it.for(["/nope", "/root", "/etc/passwd", "-", "$(id)", "a\nb"])(
    "X-16 refuses the directory %j before the command runs",
    async (cwd) => {
      await expect(run("touch ~/ran", { cwd })).rejects.toMatchObject({
        outcome: "refused",
        code: "command-unusable",
        message: expect.stringContaining(JSON.stringify(cwd)),
      });
      expect(await say("ls ~/ran 2>&1")).toContain("No such file");
    },
  );

  it("X-16 takes 1 MiB of stdin and refuses more", async () => {
    const stdin = "0123456789abcdef".repeat(65_536);
    const sum = createHash("sha256").update(stdin).digest("hex");
    expect((await run("sha256sum", { stdin })).stdout.text).toBe(`${sum}  -\n`);
    await expect(run("cat", { stdin: `${stdin}x` })).rejects.toMatchObject({ code: "stdin-too-large" });
  });

  it("X-16 keeps stdin from the profile and gives the command an end of input", async () => {
    await run("printf 'read -t 5 taken\\n' >> ~/.profile");
    expect((await run("cat", { stdin: "mine" })).stdout.text).toBe("mine");
    expect((await run("cat")).stdout.text).toBe("");
    await run("sed -i '$d' ~/.profile");
  });

  it("X-16 keeps head and tail of each stream and drops the middle", async () => {
    const { stdout, stderr } = await run("seq 1 100000; echo short >&2", { maxOutputBytes: 2000 });
    expect(stderr).toEqual({ text: "short\n", totalBytes: 6, truncated: false });
    expect(stdout).toMatchObject({ totalBytes: 588_895, truncated: true });
    expect(stdout.text).toMatch(
      /^1\n2\n3\n[\s\S]*\n\[\.\.\. 586901 bytes left out \.\.\.\]\n[\s\S]*\n100000\n$/,
    );
  });

  it("X-16 shows binary output as plain text", async () => {
    const { stdout } = await run("printf 'a\\x1b[31mb\\x00\\xff\\x07c\\r\\nd'");
    expect(stdout).toEqual({ text: "ab\ufffdc\nd", totalBytes: 14, truncated: false });
  });

  it("X-16 X-22 hands on the last line at most once a second", async () => {
    const lines: string[] = [];
    await run("echo one; echo two; sleep 1.2; echo three; printf four", {
      onLine: (line) => lines.push(line),
    });
    expect(lines.length).toBeLessThanOrEqual(2);
    expect(lines.at(-1)).toBe("three");
  });

  it("X-16 lets live what a command leaves running, marked", async () => {
    await run("nohup sleep 4321 >/dev/null 2>&1 &");
    expect(await world.processes("sleep 4321")).toBe(1);
    expect(
      await say("tr '\\0' '\\n' < /proc/$(pgrep -f 'sleep 4321')/environ | grep -c ISX_UNIT=isx-exec-"),
    ).toBe("1");
    await run("pkill -f 'sleep 4321'");
  });

  it("X-16 says that a command could not be started, and why", async () => {
    await world.root("mv /usr/bin/setpriv /usr/bin/setpriv.kept");
    await expect(run("true")).rejects.toMatchObject({
      outcome: "unavailable",
      code: "command-not-started",
      message: expect.stringContaining("setpriv"),
    });
    await world.root("mv /usr/bin/setpriv.kept /usr/bin/setpriv");
  });

  it("X-16 keeps its memory flat over 1 GB of output", { timeout: 120_000 }, async () => {
    await run("head -c 50M /dev/zero");
    let peak = 0;
    const base = process.memoryUsage().rss;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss - base);
    }, 20);
    const { stdout } = await run("head -c 1G /dev/zero | tr '\\0' x");
    clearInterval(watch);
    expect(stdout.totalBytes).toBe(2 ** 30);
    console.log(`1 GB of output: ${Math.round(peak / 2 ** 20)} MiB above ${Math.round(base / 2 ** 20)} MiB`);
    expect(peak).toBeLessThan(64 * 2 ** 20);
  });
});
