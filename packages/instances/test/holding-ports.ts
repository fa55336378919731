import { Failure } from "@agent-control/base";
import type { Incus } from "@agent-control/incus";
import type { Branching, BranchRequest } from "../src/branching.ts";
import type { Guest, Presence, TaskListed, TaskSeen } from "../src/guest.ts";
import { clearedStamp, stampConfig } from "../src/stamp.ts";
import type { Template, TemplateSet, Templates } from "../src/templates.ts";

/** What the guests of a test are like; by instance. */
export interface GuestFacts {
  /** Who is in it; undefined does not answer. Nobody when nothing is set. */
  readonly presence: Map<string, Partial<Presence> | undefined>;
  readonly tasks: Map<string, TaskListed[]>;
  readonly unbootable: Set<string>;
  /** Names of the guest's calls that fail. */
  readonly failing: Set<string>;
}

export function guestFacts(): GuestFacts {
  return { presence: new Map(), tasks: new Map(), unbootable: new Set(), failing: new Set() };
}

/** A guest that says what the test wrote down. */
export function scriptedGuest(facts: GuestFacts, { instances }: Pick<Incus, "instances">): Guest {
  const unmodelled = () => {
    throw new Error("scriptedGuest does not model this");
  };
  const may = (call: string) => {
    if (facts.failing.has(call)) throw unavailable(`the guest did not do ${call}`);
  };
  return {
    exec: unmodelled,
    startTask: unmodelled,
    readTask: unmodelled,
    async waitForBoot(name) {
      const isUp = (await instances.get(name))?.status === "Running" && !facts.unbootable.has(name);
      if (!isUp) throw unavailable(`${name} did not boot`, "guest-not-booted");
    },
    async probeTasks(name, ids) {
      may("probeTasks");
      const listed = facts.tasks.get(name) ?? [];
      return new Map(ids.map((id) => [id, listed.find((task) => task.id === id)?.seen ?? taskSeen("lost")]));
    },
    async listTasks(name) {
      may("listTasks");
      return facts.tasks.get(name) ?? [];
    },
    async cancelTasks(name, ids) {
      may("cancelTasks");
      const left = (facts.tasks.get(name) ?? []).filter(({ id }) => !ids.includes(id));
      facts.tasks.set(name, left);
    },
    async clearTasks(name) {
      may("clearTasks");
      facts.tasks.delete(name);
    },
    async presence(name) {
      may("presence");
      if (facts.presence.has(name) && facts.presence.get(name) === undefined) return undefined;
      const nobody = { attended: false, workingAgents: [], lastAgentActivityAt: undefined, now: 0 };
      return { ...nobody, ...facts.presence.get(name) };
    },
  };
}

export function taskSeen(state: TaskSeen["state"]): TaskSeen {
  return { state, exitCode: undefined, startedAt: 1, lastActivityAt: 1, stdoutBytes: 0, stderrBytes: 0 };
}

/** Templates with nothing but a name. */
export function fixedTemplates(names: readonly string[]): Templates {
  const templates = new Map(names.map((name) => [name, plainTemplate(name)]));
  const set: TemplateSet = {
    templates,
    problems: [],
    require(name) {
      const template = templates.get(name);
      if (template !== undefined) return template;
      const code = "template-unknown";
      throw new Failure("refused", { code, message: `There is no template ${name}`, next: "Look" });
    },
  };
  return { all: async () => set, trusted: async () => set };
}

export function plainTemplate(name: string): Template {
  const definitionHash = "0".repeat(64);
  return { name, chain: [], merged: { name }, recipes: [], projectLocal: false, definitionHash, agents: [] };
}

/** Branching without networks: one copy request, as the real one makes it, and a started copy. */
export function copyingBranching(
  { instances }: Pick<Incus, "instances">,
  built: readonly string[],
): Branching {
  const builtAt = "2026-01-01T00:00:00.000Z";
  return {
    built: async () =>
      new Map(
        built.map((name) => [
          name,
          { name, builtAt, definitionHash: "", stale: false, projectLocal: name === "secret" },
        ]),
      ),
    async branch(request) {
      const source = sourceOf(request);
      const seen = await instances.get(source);
      const profile = request.from.template.name;
      // As for a template of coordinators: no agent's instance may get the grant.
      const own = stampConfig({
        ...{ type: "branch", profile, parent: source, workdir: "/home/agentuser/work" },
        grant: "e".repeat(32),
      });
      await instances.create({
        name: request.name,
        source: { type: "copy", instance: source },
        config: { ...clearedStamp(seen?.config ?? {}), ...own, ...request.stamp },
        start: true,
      });
      return { name: request.name, address: "10.0.0.9", workdir: "/home/agentuser/work" };
    },
  };
}

function sourceOf({ from }: BranchRequest): string {
  return "instance" in from ? from.instance : from.template.name;
}

function unavailable(message: string, code = "guest-unavailable"): Failure {
  return new Failure("unavailable", { code, message, next: "Try again" });
}
