import { renderMark } from "./holder-mark.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import { parseSession } from "./session.ts";
import { readStamp, stampKeys } from "./stamp.ts";
import { writeStamp } from "./stamp-write.ts";

/**
 * Marks what this session holds as released, so that others may adopt it at once and its grace runs from now. Best
 * effort: what cannot be marked is an orphan as soon as this process is gone. A coordinator's session goes on without
 * its server and releases nothing.
 */
export async function releaseInstances(ports: HoldingPorts): Promise<void> {
  if (parseSession(ports.session)?.kind !== "process") return;
  const where = { [stampKeys.mcpOwner]: ports.owner, [stampKeys.session]: ports.session };
  const held = await ports.incus.instances.list({ where });
  await Promise.allSettled(held.map(({ name }) => releaseInstance(ports, name)));
}

async function releaseInstance(ports: HoldingPorts, name: string): Promise<void> {
  await writeStamp(ports, name, {
    decide: (seen) => {
      const stamp = readStamp(seen?.config ?? {});
      const releasable =
        stamp.mcpOwner === ports.owner &&
        stamp.session === ports.session &&
        stamp.state === "ready" &&
        stamp.kept === undefined;
      return releasable ? { orphaned: renderMark(ports.clock.now(), ports.session) } : undefined;
    },
  });
}
