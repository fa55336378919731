// The root file system of the image `base`: Debian 12 with systemd, and a user for agents.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { debianSources, renderSource, suite } from "./debian.mjs";
import { run } from "./run.mjs";

// udev: without it systemd-networkd waits for ever and there is no address. systemd-resolved: takes the name server
// from DHCP, on whichever network. libpam-systemd stays out: with it `su -` would leave the unit it was started in.
const packages = [
  ["systemd", "systemd-sysv", "systemd-resolved", "udev", "dbus", "libnss-myhostname"],
  ["sudo", "git", "procps", "iproute2", "curl", "ca-certificates", "bash"],
].flat();
const certificates = "/usr/local/share/ca-certificates";
const settings = join(import.meta.dirname, "..", "base-image");
const customize = join(settings, "customize.sh");

/** Path of a tar file of the root file system: from the cache, or built in about 20 seconds. */
export function baseRootfs() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "agent-control", "incus-host");
  const apt = aptOfTheMachine();
  const rootfs = join(cache, `rootfs-${keyOf(apt)}.tar`);
  if (existsSync(rootfs)) return rootfs;
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  console.error("Building the base image with mmdebstrap");
  const work = mkdtempSync(join(cache, "build-"));
  try {
    build(apt, work);
    renameSync(join(work, "rootfs.tar"), rootfs);
    for (const name of readdirSync(cache)) {
      if (name.startsWith("rootfs-") && name !== basename(rootfs)) rmSync(join(cache, name), { force: true });
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return rootfs;
}

/** What apt needs to know to reach the same mirror from inside: { sources, options }. */
function aptOfTheMachine() {
  const sources = debianSources().filter(({ release }) => !release.endsWith("-backports"));
  const wanted = /^Acquire::(Check-Valid-Until|Check-Date|https?::Proxy) /;
  const options = run("apt-config", ["dump"])
    .split("\n")
    .filter((line) => wanted.test(line));
  return {
    sources: sources.map(renderSource).join("\n"),
    options: ['Acquire::Languages "none";', ...options],
  };
}

function keyOf(apt) {
  const hash = createHash("sha256").update(JSON.stringify([packages, apt, readFileSync(customize, "utf8")]));
  for (const name of certificateNames()) hash.update(readFileSync(join(certificates, name)));
  return hash.digest("hex").slice(0, 16);
}

function certificateNames() {
  return existsSync(certificates) ? readdirSync(certificates).filter((name) => name.endsWith(".crt")) : [];
}

function build(apt, work) {
  writeFileSync(join(work, "debian.sources"), apt.sources);
  const copies = [
    ...certificateNames().map((name) => copyIn(join(certificates, name), certificates)),
    copyIn(join(work, "debian.sources"), "/etc/apt/sources.list.d"),
  ];
  const { uri } = debianSources().find(({ release }) => release === suite) ?? debianSources()[0];
  const hooks = [...copies, customize].map((hook) => `--customize-hook=${hook}`);
  const options = ["--quiet", "--mode=root", "--variant=apt", `--include=${packages.join(",")}`];
  const aptOptions = apt.options.map((line) => `--aptopt=${line}`); // mmdebstrap leaves them in the image, too.
  run("mmdebstrap", [...options, ...aptOptions, ...hooks, suite, join(work, "rootfs.tar"), uri]);
}

function copyIn(path, directory) {
  return `copy-in ${path} ${directory}`;
}
