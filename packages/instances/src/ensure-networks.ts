import { Failure } from "@agent-control/base";
import type { AclRule, Keys } from "@agent-control/incus";
import type { SetupWork } from "./host-setup.ts";

export interface WantedNetwork {
  readonly name: string;
  readonly wanted: Keys;
  readonly description: string;
}

/** Makes the bridge on a subnet that is free, or corrects the wanted keys of the one that is there; its config. */
export async function ensureNetwork(
  { incus, setup, changed }: SetupWork,
  { name, wanted, description }: WantedNetwork,
): Promise<Keys> {
  const there = await incus.networks.get(name, setup.signal);
  if (!there) {
    // "auto": the daemon takes a subnet that neither its networks nor the host's routes use.
    await incus.networks.create(
      name,
      { config: { "ipv4.address": "auto", ...wanted }, description },
      setup.signal,
    );
    changed(`network ${name}`);
    return (await incus.networks.get(name, setup.signal))?.config ?? {};
  }
  const wrong = Object.entries(wanted).filter(([key, value]) => !isAsWanted(key, there.config[key], value));
  if (wrong.length === 0) return there.config;
  const config = Object.fromEntries(wrong);
  const written = await incus.networks.change(name, { config }, there.etag, setup.signal);
  if (!written) throw changedMeanwhile(`network ${name}`);
  changed(`${wrong.map(([key]) => key).join(", ")} of network ${name}`);
  return { ...there.config, ...config };
}

// Whoever runs the proxy adds names to what dnsmasq answers; only the closed ground must be there.
function isAsWanted(key: string, value: string | undefined, wanted: string): boolean {
  if (key !== "raw.dnsmasq") return value === wanted;
  const lines = new Set(value?.split("\n"));
  return wanted.split("\n").every((line) => lines.has(line));
}

/** Makes or corrects the access list that allows the gateway's ports and nothing else. */
export async function ensureAcl(
  { incus, setup, changed }: SetupWork,
  { gateway, ports }: { readonly gateway: string; readonly ports: readonly number[] },
): Promise<void> {
  const { names, signal } = setup;
  const egress: readonly AclRule[] = [
    {
      action: "allow",
      state: "enabled",
      protocol: "tcp",
      destination: `${gateway}/32`,
      destination_port: ports.join(","),
      description: "the proxy",
    },
  ];
  const there = await incus.networkAcls.get(names.acl, signal);
  if (!there) {
    const description = "isx: only the proxy";
    await incus.networkAcls.create(names.acl, { egress, ingress: [], description }, signal);
    return changed(`access list ${names.acl}`);
  }
  if (sameRules(there.egress, egress) && there.ingress.length === 0) return;
  const written = await incus.networkAcls.change(names.acl, { egress, ingress: [] }, there.etag, signal);
  if (!written) throw changedMeanwhile(`access list ${names.acl}`);
  changed(`rules of access list ${names.acl}`);
}

function sameRules(found: readonly AclRule[], wanted: readonly AclRule[]): boolean {
  const text = (rules: readonly AclRule[]): string => JSON.stringify(rules.map(ruleKey));
  return text(found) === text(wanted);
}

function ruleKey({
  action,
  state,
  protocol,
  destination,
  destination_port,
  source,
}: AclRule): readonly unknown[] {
  return [action, state, protocol ?? "", destination ?? "", destination_port ?? "", source ?? ""];
}

function changedMeanwhile(what: string): Failure {
  return new Failure("error", {
    code: "changed-meanwhile",
    message: `The ${what} was changed by someone else at the same moment`,
    next: "Run isx init again",
  });
}
