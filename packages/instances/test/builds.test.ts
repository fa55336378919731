import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BuildStep } from "../src/builds.ts";
import { readStamp } from "../src/stamp.ts";
import { templateParts } from "../src/template-swap.ts";
import { incusSocket, openWorld, type RealWorld } from "./branching-world.ts";

const certificate = execFileSync(
  "openssl",
  "req -x509 -newkey rsa:2048 -nodes -keyout /dev/null -subj /CN=isx-test -days 2".split(" "),
  { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
);

const hostile = `it's "$HOME" \`id\` \\ €`;

const base = `
name: tpl-base
image: base
packages: [jq, libpam-systemd]
env:
  PLAIN: one
  HOSTILE: ${JSON.stringify(hostile)}
run:
  - |
    git init -q --bare /srv/repo.git
    git config --system safe.directory '*'
    git config --system url./srv/repo.git.insteadOf https://example.com/some/repo.git
    git clone -q /srv/repo.git /tmp/work && cd /tmp/work
    git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first
    git push -q origin HEAD:main && git -C /srv/repo.git symbolic-ref HEAD refs/heads/main
run-as-user:
  - echo "$USER $HOME $PWD $PLAIN $0" > ~/ran
`;

const child = `
name: tpl-child
parent: tpl-base
packages: [less]
tools: [greet]
workdir: ~/deep/work
files:
  - {path: ~/notes/own.txt, content: "mine\\n"}
  - {path: /etc/theirs.conf, content: "root's\\n", mode: "0600"}
repos:
  - {url: "https://example.com/some/repo.git", prime: "git log -1 --format=%s > ~/primed"}
env: {PLAIN: two}
`;

const greet = `
name: greet
requires: [shout]
files:
  - {path: /usr/local/bin/greet, content: "#!/bin/sh\\nshout hello\\n", mode: "0755"}
env: {GREETING: "hi there"}
verify: test "$(greet)" = HELLO && test "$GREETING" = "hi there"
`;

const shout = `
name: shout
run:
  - |
    printf '#!/bin/sh\\necho "$*" | tr a-z A-Z\\n' > /usr/local/bin/shout
    chmod 755 /usr/local/bin/shout
`;

describe.skipIf(incusSocket === undefined)("on a real Incus", () => {
  let world: RealWorld;
  const steps: BuildStep[] = [];
  beforeAll(async () => {
    world = await openWorld(incusSocket ?? "", { certificate });
    world.define(base);
    world.define(child);
    world.defineTool("greet", greet);
    world.defineTool("shout", shout);
    expect(await build(["tpl-child"], { onStep: (step) => steps.push(step) })).toEqual([
      "tpl-base",
      "tpl-child",
    ]);
    await branch("tpl-child", world.unique("c1"));
  }, 120_000);
  afterAll(() => world.end(), 60_000);

  async function build(
    names: readonly string[],
    more: { onStep?: (step: BuildStep) => void; signal?: AbortSignal } = {},
  ): Promise<readonly string[]> {
    const done = await world.builds.build({ names, definitions: await world.templates.all(), ...more });
    return done.map(({ template }) => template);
  }

  async function branch(template: string, name: string): Promise<void> {
    const from = { template: (await world.templates.all()).require(template) };
    await world.branching.branch({ name, from, stamp: {} });
  }

  async function says(command: string, stem = "c1"): Promise<string> {
    const { stdout, stderr } = await world.guest.exec(world.unique(stem), {
      command,
      maxOutputBytes: 10_000,
    });
    return `${stdout.text}${stderr.text}`.trim();
  }

  const names = async () => (await world.incus.instances.list()).map(({ name }) => name);
  const stampOf = async (name: string) => readStamp((await world.incus.instances.get(name))?.config ?? {});

  it("X-06 says each step with its time, parents first", () => {
    const texts = steps.map(({ template, text }) => `${template}: ${text}`);
    expect(texts).toEqual([
      "tpl-base: instance of base",
      "tpl-base: waiting until it has booted",
      "tpl-base: packages jq libpam-systemd",
      "tpl-base: certificate of the proxy",
      "tpl-base: run 1 of 1",
      "tpl-base: run-as-user 1 of 1",
      "tpl-base: sealing",
      "tpl-base: putting it in place",
      "tpl-child: copy of tpl-base",
      "tpl-child: waiting until it has booted",
      "tpl-child: packages less",
      "tpl-child: tool shout",
      "tpl-child: tool greet",
      "tpl-child: file ~/notes/own.txt",
      "tpl-child: file /etc/theirs.conf",
      "tpl-child: repository https://example.com/some/repo.git",
      "tpl-child: check of greet",
      "tpl-child: sealing",
      "tpl-child: putting it in place",
    ]);
    const times = steps.filter(({ template }) => template === "tpl-child").map(({ elapsedMs }) => elapsedMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it("X-06 installs packages, tools, files, repositories and environment of the whole chain", async () => {
    expect(await says("jq --version; less --version | head -1; greet")).toMatch(
      /^jq-1.*\nless \d+.*\nHELLO$/,
    );
    expect(await says("cat ~/ran")).toBe(
      "agentuser /home/agentuser /home/agentuser one /run/isx-build-script",
    );
    expect(await says("cat ~/primed; git -C ~/repo log --oneline | wc -l")).toBe("first\n1");
    expect(
      await says(
        "stat -c '%U %a' ~/notes ~/notes/own.txt ~/repo ~/deep/work; sudo stat -c '%U %a' /etc/theirs.conf",
      ),
    ).toBe("agentuser 755\nagentuser 644\nagentuser 755\nagentuser 755\nroot 600");
    expect(await says("pwd; echo $PLAIN $GREETING")).toContain("two hi there");
  });

  it("X-06 keeps every character of an environment value", async () => {
    expect(await says(`printf %s "$HOSTILE"`)).toBe(hostile);
  });

  it("X-06 seals the image: no identity, no log, the user with sudo, the proxy trusted, no PAM session", async () => {
    await branch("tpl-child", world.unique("c2"));
    expect(await says("id -u; sudo -n id -u")).toBe("1000\n0");
    const identity = await says("cat /etc/machine-id");
    expect(identity).toMatch(/^[0-9a-f]{32}$/);
    expect(await says("cat /etc/machine-id", "c2")).not.toBe(identity);
    expect(
      await says("grep -rs pam_systemd /etc/pam.d | grep -v ':#'; ls -d /var/log/journal 2>&1"),
    ).toContain("No such file");
    const line = certificate.split("\n")[1];
    expect(await says(`grep -c '${line}' /etc/ssl/certs/ca-certificates.crt`)).toBe("1");
    expect(await says("ls -A /var/lib/apt/lists; ls /var/cache/apt/archives/*.deb 2>&1")).toMatch(
      /^ls: .*No such/,
    );
    expect(await says("sudo su - agentuser -c 'cat /proc/self/cgroup'")).not.toContain("user.slice");
    await world.discard(world.unique("c2"));
  });

  it("X-06 stamps what the image was built from, stopped and without an address", async () => {
    const seen = await world.incus.instances.get("tpl-child");
    const stamp = await stampOf("tpl-child");
    const template = (await world.templates.all()).require("tpl-child");
    expect(stamp).toMatchObject({
      type: "template",
      profile: "tpl-child",
      parent: "tpl-base",
      owner: world.owner,
      definitionHash: template.definitionHash,
    });
    expect(JSON.parse(stamp.buildSource ?? "")).toMatchObject({
      definitions: {
        "tpl-base": expect.stringContaining("/images/"),
        "tpl-child": expect.stringContaining("/images/"),
      },
      recipes: { shout: expect.stringContaining("/tools/"), greet: expect.stringContaining("/tools/") },
      projectLocal: false,
    });
    expect(stamp).not.toHaveProperty("address");
    expect(seen?.status).toBe("Stopped");
    expect(seen?.expandedDevices["eth0"]).not.toHaveProperty("ipv4.address");
  });

  it("X-06 keeps a failed build for a look and the old image in use, and says the end of what was printed", async () => {
    const before = await world.incus.instances.get("tpl-child");
    const failing = `${child}run:\n  - "echo useful words >&2; exit 7"\n`;
    world.redefine(child, failing);
    const built = build(["tpl-child"]);
    await expect(built).rejects.toMatchObject({
      code: "build-failed",
      message: "The build of tpl-child failed: run 1 of 1: It ended with exit code 7",
      next: expect.stringContaining("tpl-child-failed-build"),
      details: { exit_code: 7, output: "useful words\n" },
    });
    expect((await world.incus.instances.get("tpl-child"))?.createdAt).toBe(before?.createdAt);
    expect(await stampOf(templateParts.failed("tpl-child"))).toMatchObject({ type: "failed-build" });
    expect((await world.incus.instances.get(templateParts.failed("tpl-child")))?.status).toBe("Stopped");
    expect(await names()).not.toContain(templateParts.rebuilding("tpl-child"));
    expect((await world.branching.built()).get("tpl-child")).toMatchObject({ stale: true });
    world.redefine(failing, child);
    expect((await world.branching.built()).get("tpl-child")).toMatchObject({ stale: false });
  }, 60_000);

  it("X-06 leaves nothing of a build that is cancelled", async () => {
    const cancelled = new AbortController();
    const built = build(["tpl-child"], {
      signal: cancelled.signal,
      onStep: ({ text }) => text.startsWith("tool") && cancelled.abort(),
    });
    await expect(built).rejects.toMatchObject({ outcome: "cancelled" });
    const left = await names();
    expect(left).toContain("tpl-child");
    expect(left).not.toContain(templateParts.rebuilding("tpl-child"));
  }, 60_000);

  it("X-06 shows a template as stale when its parent was built later", async () => {
    expect(await build(["tpl-base"])).toEqual(["tpl-base"]);
    const built = await world.branching.built();
    expect(built.get("tpl-base")).toMatchObject({ stale: false });
    expect(built.get("tpl-child")).toMatchObject({ stale: true });
  }, 60_000);

  it("X-07 branches all the while that a template is built anew, #1212, always from a whole image", async () => {
    const template = (await world.templates.all()).require("tpl-base");
    const building = new AbortController();
    const built = build(["tpl-base"]).finally(() => building.abort());
    let made = 0;
    while (!building.signal.aborted) {
      const all = Array.from({ length: 3 }, (_, index) => world.unique(`n${made + index}`));
      const branched = all.map((name) =>
        world.branching.branch({ name, from: { template }, stamp: {}, start: false }),
      );
      await Promise.all(branched);
      for (const name of all)
        expect(await stampOf(name)).toMatchObject({ type: "branch", profile: "tpl-base" });
      await Promise.all(all.map(world.discard));
      made += all.length;
    }
    await built;
    expect(made).toBeGreaterThan(10);
  }, 60_000);

  it("X-14 stamps an image whose definition is a project's", async () => {
    world.defineProject("name: tpl-theirs\nparent: tpl-base\n");
    expect(await build(["tpl-theirs"])).toEqual(["tpl-theirs"]);
    expect((await world.branching.built()).get("tpl-theirs")).toMatchObject({ projectLocal: true });
  }, 60_000);

  it("X-06 refuses an instance's name, an image and skills that it cannot use, and changes nothing", async () => {
    world.define("name: c-taken\nimage: base\n");
    await branch("tpl-base", "c-taken");
    await expect(build(["c-taken"])).rejects.toMatchObject({ code: "name-taken", outcome: "refused" });
    await world.discard("c-taken");
    world.define("name: tpl-nowhere\nimage: no-such-image\n");
    await expect(build(["tpl-nowhere"])).rejects.toMatchObject({
      code: "build-failed",
      details: { reason: "image-missing" },
    });
    world.define("name: tpl-skilled\nimage: base\nskills: [some/thing]\n");
    await expect(build(["tpl-skilled"])).rejects.toMatchObject({ code: "skills-unsupported" });
    expect(await names()).not.toContain(templateParts.rebuilding("tpl-nowhere"));
  }, 60_000);
});
