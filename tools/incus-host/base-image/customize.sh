#!/bin/sh
# Runs on the machine, with the new root file system as $1.
set -eu
root=$1

chroot "$root" useradd --create-home --uid 1000 --shell /bin/bash agentuser
echo 'agentuser ALL=(ALL) NOPASSWD:ALL' >"$root/etc/sudoers.d/agentuser"
chmod 0440 "$root/etc/sudoers.d/agentuser"

cat >"$root/etc/systemd/network/eth0.network" <<'NETWORK'
[Match]
Name=eth0
[Network]
DHCP=ipv4
[DHCPv4]
ClientIdentifier=mac
NETWORK
mkdir -p "$root/etc/systemd/journald.conf.d"
printf '[Journal]\nStorage=volatile\n' >"$root/etc/systemd/journald.conf.d/volatile.conf"
chroot "$root" systemctl enable systemd-networkd systemd-resolved
chroot "$root" systemctl mask systemd-networkd-wait-online.service
chroot "$root" update-ca-certificates

printf '127.0.0.1 localhost\n' >"$root/etc/hosts"
ln -sf ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
rm -f "$root/etc/apt/sources.list" "$root/etc/hostname"
: >"$root/etc/machine-id"
rm -rf "$root"/usr/share/doc/* "$root"/usr/share/man/* "$root"/usr/share/locale/* "$root"/var/lib/apt/lists/*
