import { asFailure, Failure } from "@agent-control/base";
import type { AclRule, Incus, Keys, NetworkFields } from "@agent-control/incus";
import { freeSubnet, networkSubnets, routedSubnets } from "./free-subnet.ts";
import type { SetupWork } from "./host-setup.ts";

/** Makes the bridge on a subnet that is free, unless it is there; its config. */
export async function makeNetwork(
  { incus, files, random, setup, changed }: SetupWork,
  {
    name,
    config,
    description,
  }: { readonly name: string; readonly config: Keys; readonly description: string },
): Promise<Keys> {
  const { signal } = setup;
  const there = await incus.networks.get(name, signal);
  if (there) return there.config;
  const used = [...routedSubnets(files), ...networkSubnets(await incus.networks.list(signal))];
  const made = { "ipv4.address": freeSubnet(used, random), ...config };
  await createPatiently(incus, name, { fields: { config: made, description }, signal });
  changed(`network ${name}`);
  return made;
}

const mostTries = 4;

async function createPatiently(
  { networks }: Pick<Incus, "networks">,
  name: string,
  { fields, signal }: { readonly fields: NetworkFields; readonly signal: AbortSignal | undefined },
): Promise<void> {
  await patiently(
    () => networks.create(name, fields, signal),
    () => networks.delete(name, signal),
  );
}

// Incus 6.0 looks at every interface of the host meanwhile and fails when one of them, anybody's, goes away.
async function patiently<T>(body: () => Promise<T>, undo: () => Promise<unknown>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await body();
    } catch (error) {
      if (tries === mostTries || asFailure(error)?.code !== "incus-refused") throw error;
      await undo();
    }
  }
}

/** Gives the network the keys that it must have. */
export async function correctNetwork(work: SetupWork, name: string, wanted: Keys): Promise<void> {
  // What failed half way is found again by looking again.
  const wrong = await patiently(
    () => correctOnce(work, name, wanted),
    async () => {},
  );
  if (wrong.length > 0) work.changed(`${wrong.join(", ")} of network ${name}`);
}

/** The keys that it had to write. */
async function correctOnce({ incus, setup }: SetupWork, name: string, wanted: Keys): Promise<string[]> {
  const there = await incus.networks.get(name, setup.signal);
  if (!there) throw changedMeanwhile(`network ${name}`);
  const wrong = Object.entries(wanted).filter(([key, value]) => !isAsWanted(key, there.config[key], value));
  if (wrong.length === 0) return [];
  const config = Object.fromEntries(wrong);
  if (!(await incus.networks.change(name, { config }, there.etag, setup.signal))) {
    throw changedMeanwhile(`network ${name}`);
  }
  return wrong.map(([key]) => key);
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
  const egress = ports.length === 0 ? [] : [portsRule(gateway, ports)];
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

// A rule without ports would allow them all.
function portsRule(gateway: string, ports: readonly number[]): AclRule {
  return {
    action: "allow",
    state: "enabled",
    protocol: "tcp",
    destination: `${gateway}/32`,
    destination_port: ports.join(","),
    description: "the proxy",
  };
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
