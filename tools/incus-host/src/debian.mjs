// What the machine must be, and the Debian packages it needs.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hasProgram, installPackages, isRoot } from "../../machine.mjs";
import { problem } from "./problem.mjs";
import { run, tryRun } from "./run.mjs";

export const incusd = "/usr/libexec/incus/incusd";
export const suite = "bookworm";
export const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

const backports = `${suite}-backports`;
// Only Incus comes from the backports: `apt-get -t` would also replace systemd.
const packageOf = {
  [incusd]: `incus-base/${backports}`,
  incus: `incus-client/${backports}`,
  dnsmasq: "dnsmasq-base",
  nft: "nftables",
  "mkfs.btrfs": "btrfs-progs",
  mmdebstrap: "mmdebstrap",
};
const otherWay = "set INCUS_SOCKET to the socket of an Incus that you may use for tests";

/** Refuses a machine that is not Debian 12, and a caller who is not root. */
export function requireDebianRoot() {
  const release = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  if (!/^ID=debian$/m.test(release) || !new RegExp(`^VERSION_CODENAME=${suite}$`, "m").test(release)) {
    throw problem(`This sets Incus up on Debian 12 (${suite}) only`, otherWay);
  }
  if (!isRoot) throw problem("Setting Incus up needs root", `run it with sudo, or ${otherWay}`);
}

/** Installs what is missing; starts no service and leaves none enabled that was not there. */
export function requirePackages() {
  const missing = Object.keys(packageOf).filter((program) => !hasProgram(program));
  if (missing.length === 0) return;
  if (missing.includes(incusd)) refuseForeignIncus();
  if (!debianSources().some(({ release }) => release === backports)) addBackports();
  const incusIsNew = missing.includes(incusd);
  withoutServices(() => installPackages(missing.map((program) => packageOf[program])));
  if (incusIsNew && existsSync("/run/systemd/system")) {
    run("systemctl", ["disable", "--now", "incus.service", "incus.socket"]);
  }
  const still = missing.filter((program) => !hasProgram(program));
  if (still.length > 0) {
    const names = still.map((program) => packageOf[program]).join(" ");
    throw problem(`apt-get did not install ${names}`, `run apt-get install ${names} and read what it says`);
  }
}

/** Incus from elsewhere, such as Zabbly's, has packages of the same name: ours would replace it. */
function refuseForeignIncus() {
  if (!/^Status: .* installed$/m.test(tryRun("dpkg", ["--status", "incus-base"]).stdout)) return;
  throw problem("An Incus that is not Debian's own is installed here, and would be replaced", otherWay);
}

/** The machine's own package sources of this Debian: [{ uri, release, component }]. */
export function debianSources() {
  const format = "$(REPO_URI) $(RELEASE) $(COMPONENT)";
  const { stdout } = tryRun("apt-get", ["indextargets", "--format", format, "Created-By: Packages"]);
  const lines = [...new Set(stdout.split("\n"))].filter((line) => line !== "");
  const sources = lines.map((line) => {
    const [uri, release, component] = line.split(" ");
    return { uri: uri.replace(/\/$/, ""), release, component };
  });
  const ours = sources.filter(
    ({ release, component }) => new RegExp(`^${suite}(-|$)`).test(release) && component === "main",
  );
  return ours.length > 0
    ? ours
    : [{ uri: "http://deb.debian.org/debian", release: suite, component: "main" }];
}

/** One package source in the deb822 format of apt. */
export function renderSource({ uri, release, component }) {
  return `Types: deb\nURIs: ${uri}\nSuites: ${release}\nComponents: ${component}\nSigned-By: ${keyring}\n`;
}

function addBackports() {
  const { uri } = debianSources().find(({ release }) => release === suite) ?? debianSources()[0];
  writeFileSync(
    `/etc/apt/sources.list.d/${backports}.sources`,
    renderSource({ uri, release: backports, component: "main" }),
  );
}

/** Debian asks this file whether an installed service may start; one that is there already stays as it is. */
function withoutServices(install) {
  const policy = "/usr/sbin/policy-rc.d";
  if (existsSync(policy)) return install();
  writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    install();
  } finally {
    rmSync(policy);
  }
}
