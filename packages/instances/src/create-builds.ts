import { join } from "node:path";
import { Failure, shownText } from "@agent-control/base";
import type { InstanceSeen } from "@agent-control/incus";
import { buildOrder, type OrderedBuild } from "./build-order.ts";
import type { BuildParts } from "./build-parts.ts";
import { buildTemplate } from "./build-template.ts";
import type { BuildDone, BuildRequest, Builds } from "./builds.ts";
import { builtTemplates } from "./built-templates.ts";
import { repairBuilds } from "./repair-builds.ts";
import { readStamp } from "./stamp.ts";
import { createTemplateLock } from "./template-lock.ts";
import { templateParts } from "./template-swap.ts";

export type BuildsParts = Omit<BuildParts, "templateLock">;

/** Builds at a real daemon, or at one that behaves the same. */
export function createBuilds(given: BuildsParts): Builds {
  const templateLock = createTemplateLock({ ...given, directory: given.lockDirectory });
  const parts: BuildParts = { ...given, templateLock };
  return {
    repair: (signal) => repairBuilds(parts, signal),
    async build(request) {
      await repairBuilds(parts, request.signal);
      const done: BuildDone[] = [];
      for (const ordered of await planBuilds(parts, request)) {
        done.push(await runBuild(parts, request, ordered));
      }
      return done;
    },
  };
}

async function planBuilds(parts: BuildParts, request: BuildRequest): Promise<readonly OrderedBuild[]> {
  const { names, definitions, signal } = request;
  const instances = await parts.incus.instances.list(signal === undefined ? {} : { signal });
  const built = builtTemplates(instances, parts.owner, { trusted: definitions, all: definitions });
  const order = buildOrder(names, definitions, built);
  for (const { template } of order) {
    requireOwnNames(template.name, instances, parts.owner);
    requireSupported(template.name, template.merged.skills ?? []);
  }
  return order;
}

async function runBuild(parts: BuildParts, request: BuildRequest, ordered: OrderedBuild): Promise<BuildDone> {
  const { onStep, signal } = request;
  const template = ordered.template.name;
  const path = join(parts.lockDirectory, `${template}.build`);
  return parts.locks.hold(path, { waitMs: 0, what: `the build of ${template}` }, async () => {
    const started = parts.clock.monotonic();
    const elapsedMs = (): number => parts.clock.monotonic() - started;
    const step = (text: string): void => onStep?.({ template, text, elapsedMs: elapsedMs() });
    await buildTemplate(parts, { ...ordered, step, signal });
    return { template, durationMs: elapsedMs() };
  });
}

/** The names that a build uses must be free or hold what a build left there. */
function requireOwnNames(template: string, instances: readonly InstanceSeen[], owner: string): void {
  const own = [template, ...Object.values(templateParts).map((nameOf) => nameOf(template))];
  const types = new Set(["template", "rebuilding", "failed-build"]);
  for (const { name, config } of instances) {
    if (!own.includes(name)) continue;
    const stamp = readStamp(config);
    if (stamp.owner !== undefined && stamp.owner !== owner) throw otherUsers(name, stamp.owner);
    if (types.has(stamp.type ?? "") && stamp.profile === template) continue;
    throw new Failure("refused", {
      code: "name-taken",
      message: `The instance ${name} is no build of ${template}, and building needs its name`,
      next: `Rename or destroy ${name}, or give the template another name`,
    });
  }
}

function otherUsers(name: string, owner: string): Failure {
  return new Failure("refused", {
    code: "name-taken",
    message: `The instance ${name} belongs to another user (${shownText(owner)})`,
    next: "Set INCUS_PROJECT to a project of your own, and run isx init, which makes it",
  });
}

function requireSupported(template: string, skills: readonly string[]): void {
  if (skills.length === 0) return;
  throw new Failure("unsupported", {
    code: "skills-unsupported",
    message: `The template ${template} lists skills, which this version cannot install`,
    next: "Put the skills into the template's files, or leave them out",
  });
}
