import type { Incus } from "@agent-control/incus";

/** Ends and deletes an instance at once; one that is not there is a success. */
export async function discardInstance({ instances }: Pick<Incus, "instances">, name: string): Promise<void> {
  const seen = await instances.get(name);
  if (seen === undefined) return;
  if (seen.status !== "Stopped") await instances.stop(name, { force: true });
  await instances.delete(name);
}
