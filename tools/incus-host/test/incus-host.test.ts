import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freeSubnet, overlap } from "../src/subnet.mjs";

const program = join(import.meta.dirname, "..", "incus-host.mjs");
const possible = process.getuid?.() === 0 && isDebian12();
if (!possible) console.log("Skipped: setting Incus up needs root on Debian 12");

it("refuses a directory whose socket path the kernel could not take, and names the next step", () => {
  const { status, stderr } = incusHost("up", `/var/tmp/${"long".repeat(25)}`);
  expect(status).toBe(1);
  expect(stderr).toMatch(/has \d+ bytes; 107 are possible\nNext: choose a shorter directory/);
});

it("refuses to set up without root, and names the next step", ({ skip }) => {
  if (!possible) skip("needs root, to be somebody else");
  const arguments_ = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath, program, "up"];
  const { status, stderr } = spawnSync("setpriv", arguments_, { encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toMatch(/needs root\nNext: run it with sudo, or set INCUS_SOCKET/);
});

it("says how it is used when it does not understand", () => {
  const { status, stderr } = spawnSync(process.execPath, [program, "destroy"], { encoding: "utf8" });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^usage: /);
});

it("removes nothing where nothing was made", () => {
  const directory = mkdtempSync("/var/tmp/incus-host-");
  writeFileSync(join(directory, "precious"), "");
  expect(incusHost("down", directory).status).toBe(0);
  expect(existsSync(join(directory, "precious"))).toBe(true);
  rmSync(directory, { recursive: true });
});

it("knows which networks share an address", () => {
  expect(overlap("10.1.0.0/16", "10.1.7.1/24")).toBe(true);
  expect(overlap("10.1.7.9", "10.1.7.1/24")).toBe(true);
  expect(overlap("0.0.0.0/0", "10.1.7.1/24")).toBe(true);
  expect(overlap("10.1.6.0/24", "10.1.7.1/24")).toBe(false);
  expect(overlap("192.0.2.0/24", "10.1.7.1/24")).toBe(false);
});

describe.runIf(possible)("a host", { timeout: 120_000 }, () => {
  const directory = mkdtempSync("/var/tmp/incus-host-");
  const instance = `host-${process.pid}`;
  let socket = "";

  beforeAll(() => {
    socket = incusHost("up", directory).stdout.trim();
    incus("launch", "base", instance);
  }, 180_000);
  afterAll(() => {
    incusHost("down", directory);
  }, 60_000);

  it("prints the path of its socket and nothing else", () => {
    expect(socket).toBe(join(directory, "incus", "unix.socket"));
    expect(existsSync(socket)).toBe(true);
  });

  it("boots an instance that gets an address and a user for agents", async () => {
    await expect.poll(() => addressOf(instance), { timeout: 20_000 }).toMatch(/^10\.\d+\.\d+\.\d+$/);
    const who = incus("exec", instance, "--user", "1000", "--", "sudo", "-n", "id", "-un");
    expect(who).toBe("root\n");
  });

  it("does nothing when it is up already", () => {
    const before = daemonPid();
    expect(incusHost("up", directory).stdout.trim()).toBe(socket);
    expect(daemonPid()).toBe(before);
  });

  it("keeps instances running while the daemon is restarted", () => {
    const booted = bootOf(instance);
    const before = daemonPid();
    expect(incusHost("restart", directory).stdout.trim()).toBe(socket);
    expect(daemonPid()).not.toBe(before);
    expect(bootOf(instance)).toBe(booted);
  });

  it("leaves no process, mount, loop device, link, rule or directory, even when the daemon was killed", async () => {
    const network = `hosttest${process.pid}`.slice(0, 15);
    incus("network", "create", network, `ipv4.address=${freeSubnet(instance)}`);
    incus("network", "acl", "create", "guard");
    incus("network", "set", network, "security.acls=guard");
    const plug = incus("config", "get", instance, "volatile.eth0.host_name").trim();
    expect(text("ip", "-brief", "link")).toContain(plug);
    expect(text("nft", "list", "ruleset")).toContain(`acl.${network}`);
    process.kill(daemonPid(), "SIGKILL");
    const down = incusHost("down", directory);
    expect(down.status, down.stderr).toBe(0);
    expect(existsSync(directory)).toBe(false);
    expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(directory);
    expect(text("losetup", "--list")).not.toContain(directory);
    expect(text("ps", "-eo", "args")).not.toMatch(new RegExp(`${directory}/`));
    const alive = text("ps", "-eo", "stat,cgroup")
      .split("\n")
      .filter((row) => !row.startsWith("Z"));
    expect(alive.join("\n")).not.toContain(instance);
    expect(text("ip", "-brief", "link")).not.toContain(plug);
    expect(text("ip", "-brief", "link")).not.toContain(network);
    expect(text("nft", "list", "ruleset")).not.toContain(network);
  });

  function incus(...args: string[]): string {
    const environment = {
      ...process.env,
      INCUS_SOCKET: undefined, // It would win over INCUS_DIR.
      INCUS_DIR: join(directory, "incus"),
      INCUS_CONF: join(directory, "cli"),
    };
    return execFileSync("incus", args, {
      encoding: "utf8",
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  function addressOf(name: string): string {
    return incus("exec", name, "--", "hostname", "-I").trim();
  }

  function bootOf(name: string): string {
    return incus("exec", name, "--", "stat", "--format=%Z", "/proc/1");
  }

  function daemonPid(): number {
    const line = text("ps", "-eo", "pid,args")
      .split("\n")
      .find((row) => row.includes(`--logfile ${directory}/`));
    return Number.parseInt(line ?? "", 10);
  }
});

function incusHost(verb: string, directory: string) {
  return spawnSync(process.execPath, [program, verb, "--dir", directory], { encoding: "utf8" });
}

function text(file: string, ...args: string[]): string {
  return execFileSync(file, args, { encoding: "utf8" });
}

function isDebian12(): boolean {
  return (
    existsSync("/etc/os-release") &&
    /^VERSION_CODENAME=bookworm$/m.test(readFileSync("/etc/os-release", "utf8"))
  );
}
