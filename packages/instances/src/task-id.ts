import type { Random } from "@agent-control/base";

/** Throws for an id that must not reach a path or a unit name; ids are made here, so that is a bug. */
export function requireTaskId(id: string): void {
  if (!/^[a-z0-9-]{1,40}$/.test(id)) throw new Error(`not a task id: ${JSON.stringify(id)}`);
}

/** Ids of one session: a counter, and four letters that keep sessions apart when one adopts the other's tasks. */
export function createTaskIds(random: Random): () => string {
  const suffix = Array.from(random.bytes(4), (byte) => alphabet[byte % alphabet.length]).join("");
  let counter = 0;
  return () => {
    counter += 1;
    return `t${counter}-${suffix}`;
  };
}

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
