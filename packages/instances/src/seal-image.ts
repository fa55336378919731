import type { Incus } from "@agent-control/incus";
import type { BuildShell } from "./build-shell.ts";
import type { PackageManager } from "./package-manager.ts";

const uid1000 = `set -eu
owner=$(getent passwd 1000 | cut -d: -f1)
if [ -z "$owner" ]; then
  useradd --uid 1000 --user-group --create-home --shell /bin/bash agentuser
elif [ "$owner" != agentuser ]; then
  usermod --login agentuser --home /home/agentuser --move-home --shell /bin/bash "$owner"
  group=$(id -gn agentuser)
  if [ "$group" = "$owner" ]; then groupmod --new-name agentuser "$group"; fi
fi
mkdir -p /etc/sudoers.d
printf 'agentuser ALL=(ALL:ALL) NOPASSWD: ALL\\n' > /etc/sudoers.d/agentuser
chmod 0440 /etc/sudoers.d/agentuser
`;

/** Gives the guest its agentuser, uid 1000, who may do everything by sudo without a password. */
export async function ensureAgentUser(shell: BuildShell): Promise<void> {
  await shell.run(["/bin/bash", "-c", uid1000]);
}

// With pam_systemd a login leaves the unit that it was started from, and what is to be ended with the unit lives on.
// The machine id is emptied from inside: Incus keeps a stopped instance open for some ten seconds after a file of it
// was written, and whoever deletes it waits for that.
const settle = `set -eu
grep -rlE '^[^#]*pam_systemd(_home)?\\.so' /etc/pam.d | while IFS= read -r file; do
  sed -i --follow-symlinks -E '/^[^#]*pam_systemd(_home)?\\.so/d' "$file"
done
mkdir -p /etc/systemd/journald.conf.d
printf '[Journal]\\nStorage=volatile\\n' > /etc/systemd/journald.conf.d/isx.conf
rm -rf /var/log/journal
: > /etc/machine-id
if [ -e /var/lib/dbus/machine-id ] && [ ! -L /var/lib/dbus/machine-id ]; then rm -f /var/lib/dbus/machine-id; fi
sync
`;

const stopGraceS = 30;

/** Leaves an image that any number of instances can be copied from: stopped, with no identity and no log of its own. */
export async function sealImage(
  { instances }: Pick<Incus, "instances">,
  instance: string,
  { shell, manager }: { readonly shell: BuildShell; readonly manager: PackageManager },
): Promise<void> {
  for (const argv of manager.clean) await shell.run(argv);
  await shell.run(["/bin/bash", "-c", settle]);
  const isDown = await instances.stop(instance, { graceS: stopGraceS });
  if (!isDown) await instances.stop(instance, { force: true });
}
