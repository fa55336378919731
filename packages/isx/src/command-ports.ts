import { type ProcessFacts, type Wiring, wire } from "./main.ts";
import { type Places, placesOf } from "./places.ts";
import type { InstanceWiring } from "./wire-instances.ts";

/** What every verb is given. */
export interface CommandPorts extends Wiring {
  readonly facts: ProcessFacts;
  readonly places: Places;
  /** The ways to Incus; loaded when a verb needs them. */
  readonly instances: () => Promise<InstanceWiring>;
}

export function commandPorts(facts: ProcessFacts): CommandPorts {
  const places = placesOf(facts.env, facts.home);
  const wiring = wire(facts, places);
  let instances: Promise<InstanceWiring> | undefined;
  return {
    ...wiring,
    facts,
    places,
    instances: () => {
      instances ??= import("./wire-instances.ts").then(({ wireInstances }) =>
        wireInstances({ facts, places, wiring, projectDirectory: facts.directory }),
      );
      return instances;
    },
  };
}
