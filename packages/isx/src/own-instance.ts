import { Failure, nearest, shownText } from "@agent-control/base";
import type { Incus, InstanceAt } from "@agent-control/incus";
import { readStamp } from "@agent-control/instances";

interface Ports {
  readonly incus: Incus;
  readonly owner: string;
}

/** The instance that isx made for this user under the name; throws for everything else there may be. */
export async function requireOwn(
  { incus, owner }: Ports,
  name: string,
  signal?: AbortSignal,
): Promise<InstanceAt> {
  const seen = await incus.instances.get(name, signal);
  if (seen === undefined) throw await missing({ incus, owner }, name);
  const stamp = readStamp(seen.config);
  if (stamp.owner === owner && stamp.type === "branch") return seen;
  const what = stamp.owner === owner ? "is a template" : "was not made by your isx";
  throw new Failure("refused", {
    code: "instance-foreign",
    message: `${shownText(name)} ${what}`,
    next: "Name one of the instances of isx list",
  });
}

async function missing({ incus, owner }: Ports, name: string): Promise<Failure> {
  const all = await incus.instances.list();
  const own = all.filter(({ config }) => readStamp(config).owner === owner).map((one) => one.name);
  const near = nearest(name, own);
  return new Failure("error", {
    code: "instance-unknown",
    message: `There is no instance ${shownText(name)}`,
    next: near === undefined ? "Look at isx list" : `Did you mean ${near}?`,
  });
}
