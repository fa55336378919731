import type { Daemon } from "./daemon.ts";
import type { InstanceChange } from "./incus.ts";
import { requireSafeNics } from "./nic-acls.ts";
import { isDone, type Operations } from "./operations.ts";
import { overlaid } from "./overlay.ts";
import { shownSchema } from "./wire.ts";

interface Wanted {
  readonly name: string;
  readonly change: InstanceChange;
  readonly etag: string;
}

/** Writes the change if the instance still is as the ETag says; false when it is not, or gone. */
export async function changeInstance(
  over: { readonly daemon: Daemon; readonly operations: Operations },
  { name, change, etag }: Wanted,
  signal?: AbortSignal,
): Promise<boolean> {
  requireSafeNics(change.devices ?? {});
  const doing = `change ${name}`;
  const path = ["instances", name];
  const headers = { "if-match": etag };
  // A PATCH merges and so cannot remove a device.
  if (!Object.values(change.devices ?? {}).includes(null)) {
    return isDone(await over.operations.run({ method: "PATCH", path, headers, body: change }, signal), doing);
  }
  const seen = await over.daemon.look(path, shownSchema, { signal });
  if (seen?.etag !== etag) return false;
  const body = overlaid(seen.value, change);
  return isDone(await over.operations.run({ method: "PUT", path, headers, body }, signal), doing);
}
