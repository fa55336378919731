import { expect, it } from "vitest";
import type { IncusEvent } from "../src/incus.ts";
import { deferred, make, type World } from "./world.ts";

/** What every implementation of `Incus.listen` does. */
export function eventsContract(world: World): void {
  const { incus } = world;

  it("says a gap when it begins to listen, then what happens, until it is stopped", async () => {
    const stop = new AbortController();
    const events: IncusEvent[] = [];
    const heard = deferred();
    const began = deferred();
    incus.listen(
      ["lifecycle"],
      (event) => {
        events.push(event);
        if (event.type === "gap") began.resolve();
        if (event.type === "lifecycle" && event.action === "instance-deleted") heard.resolve();
      },
      stop.signal,
    );
    await began.promise;
    const name = await make(world, { start: true });
    await incus.instances.stop(name, { force: true });
    await incus.instances.delete(name);
    await heard.promise;
    stop.abort();
    expect(events[0]).toEqual({ type: "gap" });
    const actions = events.flatMap((event) => (event.type === "lifecycle" ? [event.action] : []));
    const wanted = ["instance-created", "instance-started", "instance-stopped", "instance-deleted"];
    expect(actions.filter((action) => wanted.includes(action))).toEqual(wanted);
    expect(events.at(-1)).toMatchObject({ source: `/1.0/instances/${name}` });
    const count = events.length;
    await incus.instances.delete(await make(world));
    expect(events).toHaveLength(count);
  });
}
