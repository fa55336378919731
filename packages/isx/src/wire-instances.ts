import { userInfo } from "node:os";
import { join } from "node:path";
import { createIncus, type Incus, projectOf, socketPathOf } from "@agent-control/incus";
import {
  type Branching,
  createBranching,
  createGuest,
  createTemplates,
  type Guest,
  type HostNames,
  hostNames,
  ownerOf,
  type Templates,
} from "@agent-control/instances";
import type { ProcessFacts, Wiring } from "./main.ts";
import type { Places } from "./places.ts";

/** The ways to Incus that people's verbs and agents' sessions share. */
export interface InstanceWiring {
  readonly incus: Incus;
  /** The Incus project that everything is made in. */
  readonly project: string;
  readonly names: HostNames;
  /** The stamp of this host user. */
  readonly owner: string;
  readonly templates: Templates;
  readonly branching: Branching;
  readonly guest: Guest;
  /** Locks and reservations of this user's processes. */
  readonly lockDirectory: string;
}

export interface WiringParts {
  readonly facts: ProcessFacts;
  readonly places: Places;
  readonly wiring: Wiring;
  /** Where a project's `.incus-spawn/` is looked for; undefined for agents. */
  readonly projectDirectory: string | undefined;
}

/** The part of the composition root that is loaded when Incus is first needed; connects with the first request. */
export function wireInstances({ facts, places, wiring, projectDirectory }: WiringParts): InstanceWiring {
  const { machine, settings } = wiring;
  const project = projectOf(facts.env);
  const incus = createIncus({ socketPath: socketPathOf(facts.env), project, clock: machine.clock });
  const own = {
    incus,
    project,
    names: hostNames(facts.uid),
    owner: ownerOf({ uid: facts.uid, name: userName(facts.uid) }),
    lockDirectory: join(places.stateDirectory, "locks"),
  };
  const templates = createTemplates({
    ...machine,
    configDirectory: places.configDirectory,
    projectDirectory,
    config: async () => (await settings.read()).config(),
  });
  const guest = createGuest({ ...machine, incus });
  return { ...own, templates, guest, branching: createBranching({ ...machine, ...own, templates, guest }) };
}

/** A user whom the system does not know has only a number. */
function userName(uid: number): string {
  try {
    return userInfo().username;
  } catch {
    return String(uid);
  }
}
