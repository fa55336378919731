import { type ProcessFacts, type Wiring, wire } from "./main.ts";
import { type Places, placesOf } from "./places.ts";

/** What every verb is given. */
export interface CommandPorts extends Wiring {
  readonly facts: ProcessFacts;
  readonly places: Places;
}

export function commandPorts(facts: ProcessFacts): CommandPorts {
  const places = placesOf(facts.env, facts.home);
  return { ...wire(facts, places), facts, places };
}
