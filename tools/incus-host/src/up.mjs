import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { baseRootfs } from "./base-image.mjs";
import { startDaemon, stopDaemon } from "./daemon.mjs";
import { requireDebianRoot, requirePackages } from "./debian.mjs";
import { problem } from "./problem.mjs";
import { incus, run, tryRun } from "./run.mjs";
import { freeSubnet } from "./subnet.mjs";

const poolSize = "10GiB"; // A sparse file: it grows to what is used.
const ethernet = 1500;
const passable = 0o711;
const kernelLimits = {
  "/proc/sys/fs/inotify/max_user_instances": 8192,
  "/proc/sys/kernel/keys/maxkeys": 8192,
};

/** Makes the host, or what is missing of it; returns the path of its socket. */
export function up(host) {
  requireDebianRoot();
  requirePackages();
  claimDirectory(host);
  requireIdMap();
  requireKernelLimits();
  startDaemon(host);
  requirePool(host);
  requireBridge(host);
  requireProfile(host);
  requireImage(host);
  return host.socket;
}

/** Ends the daemon and starts it again; instances run on. Returns the path of its socket. */
export async function restart(host) {
  if (!existsSync(host.marker)) throw problem(`There is no Incus in ${host.dir}`, "run the verb up first");
  await stopDaemon(host);
  startDaemon(host);
  return host.socket;
}

function claimDirectory(host) {
  if (existsSync(host.incusDir) && !existsSync(host.marker)) {
    throw problem(`${host.incusDir} is there, and was not made by this program`, "choose another --dir");
  }
  mkdirSync(host.dir, { recursive: true });
  chmodSync(host.dir, passable);
  requirePassable(dirname(host.dir));
  writeFileSync(host.marker, `${host.bridge}\n`);
  mkdirSync(host.incusDir, { recursive: true });
}

/** Guests run as users without rights on the machine, and reach their file system by its path. */
function requirePassable(directory) {
  if ((statSync(directory).mode & 0o001) === 0) {
    throw problem(
      `Guests cannot pass through ${directory}`,
      `choose another --dir, or run chmod o+x ${directory}`,
    );
  }
  if (dirname(directory) !== directory) requirePassable(dirname(directory));
}

/** Unprivileged instances need ids of the machine to map theirs to. */
function requireIdMap() {
  for (const file of ["/etc/subuid", "/etc/subgid"]) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (!/^root:/m.test(text)) writeFileSync(file, `${text}root:1000000:1000000000\n`);
  }
}

/** All guests count as one user: what is meant for one system's worth of services is used up by a dozen of them. */
function requireKernelLimits() {
  for (const [setting, least] of Object.entries(kernelLimits)) {
    if (Number(readFileSync(setting, "utf8")) < least) writeFileSync(setting, String(least));
  }
}

function requirePool(host) {
  if (has(host, "/1.0/storage-pools/default")) return;
  incus(host, "storage", "create", "default", "btrfs", `size=${poolSize}`);
}

function requireBridge(host) {
  for (let triesLeft = 5; !has(host, `/1.0/networks/${host.bridge}`); triesLeft--) {
    const addresses = [`ipv4.address=${freeSubnet(host.bridge)}`, "ipv4.nat=true", "ipv6.address=none"];
    const options = [...addresses, `bridge.mtu=${mtuOutwards()}`];
    // Incus looks at every link of the machine, and fails when one of another's goes away meanwhile.
    const create = triesLeft > 0 ? tryRun : run;
    create("incus", ["network", "create", host.bridge, ...options], { env: host.environment });
  }
}

/** The MTU of the way out, so that guests send nothing that the machine could not pass on. */
function mtuOutwards() {
  const [route] = JSON.parse(run("ip", ["-json", "-4", "route", "show", "default"]) || "[]");
  if (route === undefined) return ethernet;
  return Math.min(ethernet, Number(readFileSync(`/sys/class/net/${route.dev}/mtu`, "utf8")));
}

function requireProfile(host) {
  const { devices } = JSON.parse(incus(host, "query", "/1.0/profiles/default"));
  const add = (...device) => incus(host, "profile", "device", "add", "default", ...device);
  if (!devices.root) add("root", "disk", "path=/", "pool=default");
  if (!devices.eth0) add("eth0", "nic", `network=${host.bridge}`);
}

function requireImage(host) {
  if (has(host, "/1.0/images/aliases/base")) return;
  const rootfs = baseRootfs();
  const work = mkdtempSync(join(tmpdir(), "incus-host-"));
  try {
    const architecture = run("uname", ["-m"]).trim();
    writeFileSync(
      join(work, "metadata.yaml"),
      `architecture: ${architecture}\ncreation_date: ${Math.floor(Date.now() / 1000)}\nproperties:\n  description: Debian 12 for tests\n`,
    );
    run("tar", ["-C", work, "-cf", join(work, "metadata.tar"), "metadata.yaml"]);
    incus(host, "image", "import", join(work, "metadata.tar"), rootfs, "--alias", "base");
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function has(host, path) {
  return tryRun("incus", ["query", path], { env: host.environment }).ok;
}
