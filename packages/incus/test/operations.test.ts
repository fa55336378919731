import { expect, it } from "vitest";
import { type Answering, say, scriptedDaemon } from "./scripted-daemon.ts";
import { deferred } from "./world.ts";

const started = { type: "async", operation: "/1.0/operations/op-1", metadata: { id: "op-1" } };
const waits = "/1.0/operations/op-1/wait";

const startsThen =
  (end: Answering): Answering =>
  (asked) => {
    if (asked.path === waits) end(asked);
    else say(asked.response, started, 202);
  };

it("X-87 trap 1: reads a failed wait that comes with HTTP 200", async () => {
  const { incus } = await scriptedDaemon(
    startsThen(({ response }) =>
      say(response, { type: "error", error: "no space left on device", error_code: 500 }),
    ),
  );
  await expect(incus.instances.start("web")).rejects.toMatchObject({ outcome: "error", code: "pool-full" });
});

it("reads an operation that failed as other versions show it", async () => {
  const { incus } = await scriptedDaemon(
    startsThen(({ response }) =>
      say(response, { metadata: { id: "op-1", status_code: 400, err: "Instance is frozen" } }),
    ),
  );
  await expect(incus.instances.start("web")).rejects.toMatchObject({ code: "instance-frozen" });
});

it("says that the end is not known when the daemon has forgotten the operation", async () => {
  const { incus } = await scriptedDaemon(
    startsThen(({ response }) =>
      say(response, { type: "error", error: "Operation not found", error_code: 404 }, 404),
    ),
  );
  await expect(incus.instances.start("web")).rejects.toMatchObject({
    outcome: "unavailable",
    code: "operation-gone",
  });
});

it("cancels the operation at the daemon when its wait is cancelled", async () => {
  const stop = new AbortController();
  const deleted = deferred();
  const { incus, asked } = await scriptedDaemon((call) => {
    if (call.path === waits) stop.abort();
    else if (call.method === "DELETE") deleted.resolve();
    else say(call.response, started, 202);
  });
  const source = { type: "image", alias: "base" } as const;
  await expect(incus.instances.create({ name: "web", source }, stop.signal)).rejects.toMatchObject({
    outcome: "cancelled",
  });
  await deleted.promise;
  expect(asked.at(-1)).toBe("DELETE /1.0/operations/op-1");
});

it("cancels an operation whose start was answered after the cancellation", async () => {
  const stop = new AbortController();
  const deleted = deferred();
  const { incus, asked } = await scriptedDaemon((call) => {
    if (call.method === "DELETE") return deleted.resolve();
    stop.abort();
    setImmediate(() => say(call.response, started, 202));
  });
  await expect(incus.instances.start("web", stop.signal)).rejects.toMatchObject({ outcome: "cancelled" });
  await deleted.promise;
  expect(asked).toEqual(["PUT /1.0/instances/web/state", "DELETE /1.0/operations/op-1"]);
});

it("pulls an image, tells how far it is, and names it", async () => {
  const fingerprint = "f".repeat(64);
  let asksForPull = "";
  const toldOnce = deferred();
  const { incus } = await scriptedDaemon(({ path, body, response }) => {
    const operation = { id: "op-1", metadata: { download_progress: "rootfs: 34%\u001b[0m", fingerprint } };
    if (path === waits) void toldOnce.promise.then(() => say(response, { metadata: operation }));
    else if (path === "/1.0/operations/op-1") say(response, { metadata: operation });
    else {
      asksForPull = body;
      say(response, started, 202);
    }
  });
  const told: string[] = [];
  const request = { server: "https://images.example", alias: "debian/12", as: "base" };
  const onProgress = (text: string) => {
    told.push(text);
    toldOnce.resolve();
  };
  expect(await incus.images.pull({ ...request, onProgress })).toBe(fingerprint);
  expect(told).toEqual(["rootfs: 34%"]);
  expect(JSON.parse(asksForPull)).toEqual({
    source: {
      type: "image",
      mode: "pull",
      protocol: "simplestreams",
      server: request.server,
      alias: request.alias,
    },
    aliases: [{ name: "base", description: "" }],
  });
});
