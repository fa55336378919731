import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { daemonPids, stopDaemon } from "./daemon.mjs";
import { problem } from "./problem.mjs";
import { holdsWithin, processesThat, signal } from "./processes.mjs";
import { run, tryRun } from "./run.mjs";

const helper = /^\[lxc monitor\]|(^|\/)(incusd|dnsmasq)$/;

/** Removes everything of the host: instances, daemon, processes, mounts, loop devices, bridges, directory. */
export async function down(host) {
  if (!existsSync(host.marker)) {
    console.error(`Nothing to do: there is no Incus in ${host.dir}`);
    return;
  }
  if (daemonPids(host).length > 0) stopInstances(host);
  await stopDaemon(host);
  await endProcesses(host);
  unmount(host);
  for (const loop of loopDevices(host)) run("losetup", ["--detach", loop]);
  removeNetworks(host);
  removeDirectory(host);
}

/** By the daemon, as long as it answers: it removes their firewall rules too. */
function stopInstances(host) {
  const options = { env: host.environment, timeout: 60_000 };
  const { ok, stdout } = tryRun("incus", ["list", "--all-projects", "--format=json"], options);
  const running = ok ? JSON.parse(stdout).filter(({ status }) => status !== "Stopped") : [];
  for (const { project, name } of running) {
    tryRun("incus", ["stop", "--force", "--project", project, name], options);
  }
}

/** What a daemon leaves running: monitors, name servers and forwarders, and the guests on its pool. */
async function endProcesses(host) {
  const loops = loopDevices(host);
  const ours = () =>
    processesThat(({ argv, mountinfo }) => {
      const isHelper = helper.test(argv()[0]) && argv().some((part) => part.includes(`${host.incusDir}/`));
      return isHelper || loops.some((loop) => hasRootOn(mountinfo(), loop));
    });
  for (const pid of ours()) signal(pid, "SIGKILL");
  if (!(await holdsWithin(10_000, () => ours().length === 0))) {
    throw problem(`Processes do not end: ${ours().join(" ")}`, "end them, then run down again");
  }
}

function hasRootOn(mountinfo, device) {
  return mountinfo.split("\n").some((line) => line.split(" ")[4] === "/" && line.includes(` ${device} `));
}

function loopDevices(host) {
  const { loopdevices } = JSON.parse(run("losetup", ["--json", "--list"]) || '{"loopdevices":[]}');
  return loopdevices
    .filter((loop) => loop["back-file"]?.startsWith(`${host.incusDir}/`))
    .map(({ name }) => name);
}

function unmount(host) {
  for (const point of mountPoints(host).reverse()) run("umount", [point]);
}

function mountPoints(host) {
  const points = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "");
  return points.filter((point) => point.startsWith(`${host.incusDir}/`));
}

/** The bridges that the daemon made, what is plugged into them, and its firewall rules for them. */
function removeNetworks(host) {
  const directory = join(host.incusDir, "networks");
  const networks = existsSync(directory) ? readdirSync(directory) : [];
  for (const network of networks) {
    const links = tryRun("ip", ["-json", "link", "show", "master", network]).stdout || "[]";
    for (const { ifname } of JSON.parse(links)) tryRun("ip", ["link", "delete", ifname]);
    tryRun("ip", ["link", "delete", network]);
    const chains = chainsOf(network).map(({ family, table, name }) => [family, table, name]);
    for (const chain of chains) run("nft", ["flush", "chain", ...chain]); // They jump to each other.
    for (const chain of chains) run("nft", ["delete", "chain", ...chain]);
  }
}

function chainsOf(network) {
  const { nftables } = JSON.parse(run("nft", ["--json", "list", "chains"]));
  const chains = nftables.flatMap(({ chain }) => (chain === undefined ? [] : [chain]));
  return chains.filter(({ table, name }) => table === "incus" && name.endsWith(`.${network}`));
}

function removeDirectory(host) {
  const left = mountPoints(host);
  if (left.length > 0) throw problem(`Still mounted: ${left.join(" ")}`, "unmount it, then run down again");
  for (const path of [host.incusDir, host.environment.INCUS_CONF, host.log, `${host.dir}/incusd.out`]) {
    rmSync(path, { recursive: true, force: true });
  }
  rmSync(host.marker);
  if (readdirSync(host.dir).length === 0) rmdirSync(host.dir);
}
