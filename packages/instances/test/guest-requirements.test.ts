import { fakeClock } from "@agent-control/base/testing";
import { fakeIncus } from "@agent-control/incus/testing";
import { expect, it } from "vitest";
import { createBuildShell } from "../src/build-shell.ts";
import { guestPackageManager, requireGuestPrograms } from "../src/guest-requirements.ts";

/** A shell into an instance that prints and exits as told. */
async function shellOf(output: string, exitCode = 0) {
  const incus = fakeIncus({
    clock: fakeClock(),
    program: async ({ stdout }) => {
      await stdout(output);
      return exitCode;
    },
  });
  await incus.instances.create({ name: "i1", source: { type: "image", alias: "base" }, start: true });
  return createBuildShell({ incus, instance: "i1", signal: undefined });
}

it("X-06 names all that an image lacks", async () => {
  const lacking = requireGuestPrograms(await shellOf("udev\nsudo\n"));
  await expect(lacking).rejects.toMatchObject({
    code: "image-incomplete",
    message: "The image lacks udev, sudo",
    details: { missing: ["udev", "sudo"] },
  });
});

it("X-06 lets come later what packages can bring", async () => {
  await requireGuestPrograms(await shellOf("sudo\n"), { later: ["sudo"] });
});

it("X-06 says which package managers it can use when the image has neither", async () => {
  await expect(guestPackageManager(await shellOf("", 1))).rejects.toMatchObject({
    outcome: "unsupported",
    message: "The image has none of apt, dnf",
  });
});
