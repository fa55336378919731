import { shownText } from "@agent-control/base";
import type { InstanceSeen } from "@agent-control/incus";
import { isOrphan } from "./own-instance.ts";
import type { SessionLife } from "./session.ts";
import { readStamp, type Stamp } from "./stamp.ts";

/**
 * What `isx list` says in its OWNER column: `mcp held: #870 implement`, `mcp orphaned`, `mcp kept: spike`, each with
 * its purpose where there is one; undefined for an instance that no agent made. One line, control characters shown
 * as escapes. The life of its holder comes from the same listing (`sessionLife`).
 */
export function ownerText({ config }: InstanceSeen, isAlive: SessionLife): string | undefined {
  const stamp = readStamp(config);
  if (stamp.mcpOwner === undefined) return undefined;
  const purpose = stamp.purpose === undefined ? "" : `: ${shownText(stamp.purpose)}`;
  return `mcp ${holding(stamp, isAlive)}${purpose}`;
}

function holding(stamp: Stamp, isAlive: SessionLife): string {
  if (stamp.kept !== undefined) return "kept";
  return isOrphan(stamp, isAlive) ? "orphaned" : "held";
}
