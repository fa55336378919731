import { renderFailure } from "@agent-control/base";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readRefusal, refused } from "../src/incus-failure.ts";
import { say, scriptedDaemon } from "./scripted-daemon.ts";

// As Incus 6.0.4 said them.
it.each([
  {
    status: 404,
    text: 'Failed to fetch instance "a" in project "default": Instance not found',
    code: "instance-not-found",
  },
  { status: 404, text: "Project not found", code: "project-missing" },
  { status: 404, text: "Network ACL not found", code: "not-found" },
  { status: 404, text: "Operation not found", code: "operation-gone" },
  { status: 404, text: "Image not found", code: "image-missing" },
  { status: 500, text: "Image not provided for instance creation", code: "image-missing" },
  { status: 500, text: "UNIQUE constraint failed: instances.project_id, instances.name", code: "name-taken" },
  { status: 409, text: 'Name "brn2" already in use', code: "name-taken" },
  { status: 400, text: "The network ACL already exists", code: "name-taken" },
  { status: 500, text: 'Instance is busy running a "delete" operation', code: "instance-busy" },
  { status: 400, text: "Instance is not running", code: "instance-not-running" },
  { status: 400, text: "Instance is frozen", code: "instance-frozen" },
  { status: 400, text: "Instance is running", code: "instance-running" },
  { status: 400, text: "The instance is already stopped", code: "already-stopped" },
  { status: 500, text: "The instance is already running", code: "already-running" },
  { status: 500, text: "write /x: no space left on device", code: "pool-full" },
  { status: 403, text: 'The "default" profile cannot be deleted', code: "incus-refused" },
  { status: 403, text: "Forbidden", code: "incus-closed" },
  { status: 500, text: "User does not have permissions for project", code: "incus-closed" },
  { status: 412, text: "ETag doesn't match: a vs b", code: "stale" },
  { status: 500, text: "Something new", code: "incus-refused" },
])("reads $status $text as $code", ({ status, text, code }) => {
  expect(readRefusal(status, text).code).toBe(code);
});

it("X-87 cuts an error text of 400 KB to 2 KiB and takes its control characters out", async () => {
  const error = `tar: \u001b[31mé\u0007\u202e\0 ${"no such file é\n".repeat(30_000)}`;
  const { incus } = await scriptedDaemon(({ response }) =>
    say(response, { type: "error", error, error_code: 500 }, 500),
  );
  const failure = await incus.instances.start("web").catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ outcome: "error", code: "incus-refused" });
  const { message, details } = failure as ReturnType<typeof refused>;
  expect(message).toMatch(/^Incus refused to start web: tar: é no such file/);
  expect(Buffer.byteLength(String(details["incus_said"]))).toBeLessThanOrEqual(2048);
  expect(message).not.toMatch(/[\u0000-\u0008\u001b\u202e\ufffd]/);
});

it("X-87 keeps any text within 2 KiB, plain, and every Failure with a next step", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 400, max: 599 }),
      fc.string({ unit: "binary", maxLength: 5000 }),
      (status, text) => {
        const refusal = readRefusal(status, text);
        expect(Buffer.byteLength(refusal.said)).toBeLessThanOrEqual(2048);
        expect(refusal.said).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        const failure = refused(refusal, "start web");
        expect(failure.next).not.toBe("");
        expect(renderFailure(failure)).not.toContain("\n");
      },
    ),
  );
});
