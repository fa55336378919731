import { defineCommand } from "@agent-control/cli";
import type { InstanceSeen } from "@agent-control/incus";
import { ownerText, readStamp, type SessionLife, sessionLife } from "@agent-control/instances";
import type { CommandPorts } from "../command-ports.ts";
import { formatFlag, listingAnswer } from "../listing.ts";

export const list = defineCommand({
  description:
    "Lists your instances. Instances that agents made through MCP show who has them: held by a session, orphaned, or kept for you.",
  arguments: [],
  flags: [formatFlag],
  example: "isx list --format plain",
  run: async ({ flags: { format }, signal }, ports: CommandPorts) => {
    const { incus, owner } = await ports.instances();
    const all = await incus.instances.list({ signal });
    const isAlive = sessionLife(ports.machine.processTable, all);
    const own = all.filter((one) => isInstanceOf(one, owner)).map((one) => shown(one, isAlive));
    const anyOwner = own.some((one) => one.owner !== undefined);
    const columns = [
      "NAME",
      "STATUS",
      "IPV4",
      "PARENT",
      "RUNTIME",
      "CREATED",
      ...(anyOwner ? ["OWNER"] : []),
    ];
    return listingAnswer(format, {
      json: { instances: own.map(asJson) },
      table: {
        columns: columns.map((heading) => ({ heading, keep: heading === "NAME" })),
        rows: own.map((one) => [
          one.name,
          one.status,
          one.ipv4 ?? "",
          one.parent ?? "",
          one.runtime,
          one.created,
          ...(anyOwner ? [one.owner ?? ""] : []),
        ]),
        whenEmpty: "There is no instance. Make one with isx branch.",
      },
    });
  },
});

/** Made by isx for this user, and no template. */
function isInstanceOf({ config }: InstanceSeen, owner: string): boolean {
  const stamp = readStamp(config);
  return stamp.owner === owner && stamp.type === "branch";
}

function shown(instance: InstanceSeen, isAlive: SessionLife) {
  const stamp = readStamp(instance.config);
  return {
    name: instance.name,
    status: instance.status,
    ipv4: stamp.address,
    parent: stamp.parent,
    runtime: instance.type,
    created: stamp.created ?? instance.createdAt,
    owner: ownerText(instance, isAlive),
    purpose: stamp.purpose,
  };
}

function asJson({ owner, purpose, ipv4, parent, ...rest }: ReturnType<typeof shown>) {
  return {
    ...rest,
    ipv4: ipv4 ?? null,
    parent: parent ?? null,
    mcp_state: /^mcp (held|orphaned|kept)/.exec(owner ?? "")?.[1] ?? null,
    mcp_purpose: purpose ?? null,
  };
}
