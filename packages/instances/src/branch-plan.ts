import { Failure, nearest, shownText } from "@agent-control/base";
import type { Devices, InstanceSeen, Keys } from "@agent-control/incus";
import type { NetworkMode } from "@agent-control/policy";
import type { BranchRequest } from "./branching.ts";
import { wasProjectLocal } from "./built-templates.ts";
import { workdirOf } from "./guest-paths.ts";
import { readStamp } from "./stamp.ts";
import { isComplete } from "./template-swap.ts";

/** What is copied and how, decided before anything is done. */
export interface BranchPlan {
  readonly source: InstanceSeen;
  /** The template whose copies must not be disturbed by a rebuild; undefined: from an instance. */
  readonly template: string | undefined;
  readonly mode: NetworkMode;
  readonly workdir: string;
}

/** Checks the request against everything that is there; throws `refused` and nothing has happened. */
export function planBranch(
  { name, from, network }: BranchRequest,
  instances: readonly InstanceSeen[],
  owner: string,
): BranchPlan {
  requireName(name, instances);
  const { merged } = from.template;
  if ("instance" in from) {
    const source = requireStopped(from.instance, instances);
    const stamp = readStamp(source.config);
    const mode = network ?? stampedMode(stamp.network) ?? merged.network ?? "full";
    return { source, template: undefined, mode, workdir: stamp.workdir ?? workdirOf(merged) };
  }
  const source = requireBuilt(from.template, instances, owner);
  const mode = network ?? merged.network ?? "full";
  return { source, template: from.template.name, mode, workdir: workdirOf(merged) };
}

/** Config keys for the limits of a new copy; a copy of an instance keeps those of its source. */
export function limitKeys({ from, limits }: BranchRequest): Keys {
  const { cpu, memory } = { ...("instance" in from ? {} : from.template.merged.resources), ...limits };
  return {
    ...(cpu === undefined ? {} : { "limits.cpu": String(cpu) }),
    ...(memory === undefined ? {} : { "limits.memory": memory }),
  };
}

/** The root disk with the wanted size; nothing when no size is wanted. */
export function diskDevices({ from, limits }: BranchRequest, source: InstanceSeen): Devices {
  const size = limits?.disk ?? ("instance" in from ? undefined : from.template.merged.resources?.disk);
  if (size === undefined) return {};
  const root = Object.entries(source.expandedDevices).find(([, { path }]) => path === "/");
  if (!root)
    throw refused("disk-missing", `${source.name} has no root disk`, "Run isx init and isx build again");
  const [name, device] = root;
  return { [name]: { ...device, size } };
}

function requireName(name: string, instances: readonly InstanceSeen[]): void {
  if (!/^[a-zA-Z](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/.test(name)) {
    throw refused(
      "name-invalid",
      `"${shownText(name.slice(0, 80))}" cannot be the name of an instance`,
      'Use at most 63 letters, digits and "-", starting with a letter and not ending with "-"',
    );
  }
  if (instances.some((seen) => seen.name === name)) throw nameTaken(name);
}

/** The refusal of a name that an instance has, or that is just being given to one. */
export function nameTaken(name: string): Failure {
  return refused("name-taken", `There is an instance called ${name} already`, "Choose another name");
}

function requireBuilt(
  template: BranchRequest["from"]["template"],
  instances: readonly InstanceSeen[],
  owner: string,
): InstanceSeen {
  const { name, projectLocal } = template;
  const source = instances.find((seen) => seen.name === name && isComplete(seen, name, owner));
  const build = `Run isx build ${name}`;
  if (!source) throw refused("template-not-built", `The template ${name} is not built yet`, build);
  if (!projectLocal && wasProjectLocal(readStamp(source.config).buildSource)) {
    throw refused(
      "template-foreign",
      `The template ${name} was built from a project's own definition`,
      build,
    );
  }
  if (source.status !== "Stopped") {
    const next = `Stop it with isx stop ${name}; a template that was used should be built again`;
    throw refused("template-running", `The template ${name} itself is ${source.status.toLowerCase()}`, next);
  }
  return source;
}

function requireStopped(name: string, instances: readonly InstanceSeen[]): InstanceSeen {
  const source = instances.find((seen) => seen.name === name);
  if (!source) {
    const meant = nearest(
      name,
      instances.map((seen) => seen.name),
    );
    const next = meant === undefined ? "List the instances that there are" : `Did you mean ${meant}?`;
    throw refused("instance-missing", `There is no instance called ${shownText(name.slice(0, 80))}`, next);
  }
  if (source.status !== "Stopped") {
    const message = `The instance ${name} is ${source.status.toLowerCase()}; only a stopped one can be copied`;
    throw refused("instance-not-stopped", message, `Stop it first: isx stop ${name}`);
  }
  return source;
}

// What no version wrote there is taken for the most careful mode.
function stampedMode(stamped: string | undefined): NetworkMode | undefined {
  if (stamped === undefined || stamped === "full" || stamped === "proxy-only") return stamped;
  return "airgap";
}

function refused(code: string, message: string, next: string): Failure {
  return new Failure("refused", { code, message, next });
}
