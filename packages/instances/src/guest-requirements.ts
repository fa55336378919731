import { Failure } from "@agent-control/base";
import type { BuildShell } from "./build-shell.ts";
import { type PackageManager, packageManagers } from "./package-manager.ts";

// Prints the name of each thing that is missing. Plain sh, since bash may be one of them.
const look = `
has() { command -v "$1" >/dev/null 2>&1; }
any() { for each; do [ -x "$each" ] && return 0; done; return 1; }
any /lib/systemd/systemd /usr/lib/systemd/systemd || echo systemd
any /lib/systemd/systemd-udevd /usr/lib/systemd/systemd-udevd || echo udev
any /usr/bin/dbus-daemon /usr/bin/dbus-broker || echo dbus
has bash || echo bash
has sudo || echo sudo
`;

/** Throws `image-incomplete`, naming what is missing, unless the guest has what isx needs; `later` may still come. */
export async function requireGuestPrograms(
  shell: BuildShell,
  { later = [] }: { readonly later?: readonly string[] } = {},
): Promise<void> {
  const printed = await shell.run(["/bin/sh", "-c", look]);
  const missing = printed.split("\n").filter((name) => name !== "" && !later.includes(name));
  if (missing.length === 0) return;
  throw new Failure("error", {
    code: "image-incomplete",
    message: `The image lacks ${missing.join(", ")}`,
    next: `Use an image that has ${missing.length === 1 ? "it" : "them"}, or add what is missing to its packages`,
    details: { missing },
  });
}

/** The guest's package manager; throws `package-manager-unknown` when it has none that isx can use. */
export async function guestPackageManager(shell: BuildShell): Promise<PackageManager> {
  for (const manager of packageManagers) {
    const { exitCode } = await shell.try(["/bin/sh", "-c", 'test -x "$1"', "sh", manager.program]);
    if (exitCode === 0) return manager;
  }
  throw new Failure("unsupported", {
    code: "package-manager-unknown",
    message: `The image has none of ${packageManagers.map(({ name }) => name).join(", ")}`,
    next: "Use an image of the Debian or Fedora family",
  });
}
