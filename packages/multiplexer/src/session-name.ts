import type { Capabilities, SessionRef } from "./multiplexer.ts";

/** The session that was made under this name, though the multiplexer may have changed the name. */
export function findSession(
  sessions: readonly SessionRef[],
  name: string,
  { changedInNames = {} }: Pick<Capabilities, "changedInNames">,
): SessionRef | undefined {
  const given = [...name].map((character) => changedInNames[character] ?? character).join("");
  return sessions.find((each) => each.name === name) ?? sessions.find((each) => each.name === given);
}
