import { plainText } from "@agent-control/base";
import { markedAt } from "./holder-mark.ts";
import type { HoldingPorts } from "./holding-ports.ts";
import type { Listed } from "./holdings.ts";
import { type OwnInstance, ownInstance, templateOf } from "./own-instance.ts";
import { sessionLife } from "./session.ts";

/** Every instance that agents of this user made, in one request; without what other sessions gave to the person. */
export async function listHoldings(
  ports: HoldingPorts,
  signal: AbortSignal | undefined,
): Promise<readonly Listed[]> {
  const listing = await ports.incus.instances.list(signal ? { signal } : {});
  const isAlive = sessionLife(ports.processTable, listing);
  return listing
    .flatMap((instance) => ownInstance(instance, ports, isAlive) ?? [])
    .filter(({ stamp, standing }) => stamp.kept === undefined || standing === "mine")
    .map((own) => listed(ports, own));
}

function listed(ports: HoldingPorts, own: OwnInstance): Listed {
  const { instance, stamp, standing } = own;
  const held = standing === "held";
  return {
    name: instance.name,
    template: templateOf(stamp),
    purpose: shown(stamp.purpose),
    createdAt: instance.createdAt,
    status: instance.status,
    state: stateOf(own),
    kept: stamp.kept !== undefined,
    heldBy: held ? shown(stamp.session) : undefined,
    heldByClient: held ? shown(stamp.client) : undefined,
    orphanedSince: since(stamp.orphaned, stamp.session),
    dormantSince: since(stamp.dormant, stamp.session),
    tasks: standing === "mine" ? ports.tasks.on(instance.name) : [],
  };
}

function stateOf({ stamp, standing }: OwnInstance): Listed["state"] {
  if (stamp.state === "destroying") return "destroying";
  if (standing !== "mine") return standing;
  return stamp.state === "creating" ? "creating" : "ready";
}

function since(mark: string | undefined, session: string | undefined): string | undefined {
  const at = markedAt(mark, session);
  return at === undefined ? undefined : new Date(at).toISOString();
}

function shown(value: string | undefined): string | undefined {
  return value === undefined ? undefined : plainText(value);
}
