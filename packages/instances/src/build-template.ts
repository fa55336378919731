import { asFailure, throwIfCancelled } from "@agent-control/base";
import type { CreateInstance } from "@agent-control/incus";
import { withAddress } from "./addresses.ts";
import { imageSource } from "./base-image.ts";
import type { BuildParts } from "./build-parts.ts";
import { createBuildShell } from "./build-shell.ts";
import { takeBuildSteps } from "./build-steps.ts";
import { discardInstance } from "./discard-instance.ts";
import { failedBuild, keepFailedBuild } from "./failed-build.ts";
import { guestPackageManager, requireGuestPrograms } from "./guest-requirements.ts";
import { type Bridge, requireBridge } from "./networks.ts";
import { nicDevice, nicName } from "./nic-devices.ts";
import { sealImage } from "./seal-image.ts";
import { clearedStamp, stampConfig } from "./stamp.ts";
import { stampTemplate } from "./stamp-template.ts";
import { settleSwap, templateParts } from "./template-swap.ts";
import type { Template } from "./templates.ts";
import { waitUntilUsable } from "./usable.ts";

export interface TemplateBuild {
  readonly template: Template;
  readonly parent: Template | undefined;
  step(text: string): void;
  readonly signal: AbortSignal | undefined;
}

/** Builds one template whose parent is built, and puts it in the place of the old one. */
export async function buildTemplate(parts: BuildParts, build: TemplateBuild): Promise<void> {
  const { name } = build.template;
  const instance = templateParts.rebuilding(name);
  await settleSwap(parts, name, build.signal);
  await discardInstance(parts, instance);
  try {
    await makeImage(parts, instance, build);
  } catch (error) {
    await putAway(parts, build, error);
  }
  build.step("putting it in place");
  await settleSwap(parts, name);
}

async function makeImage(parts: BuildParts, instance: string, build: TemplateBuild): Promise<void> {
  const { incus, names } = parts;
  const { signal, step, template } = build;
  const bridge = await requireBridge(incus, names, { mode: "full", signal });
  await withAddress({ ...parts, directory: parts.lockDirectory }, bridge, async (address) => {
    await create(parts, build, { instance, bridge, address });
    const shell = createBuildShell({ incus, instance, signal });
    if (!build.parent) await requireGuestPrograms(shell, { later: ["sudo"] });
    step("waiting until it has booted");
    await waitUntilUsable(parts, instance, { attachment: { address, gateway: bridge.gateway }, signal });
    const manager = await guestPackageManager(shell);
    await takeBuildSteps({ ...build, shell, manager, certificate: parts.certificate() });
    step("sealing");
    await sealImage(incus, instance, { shell, manager });
  });
  throwIfCancelled(signal);
  await stampTemplate(parts, instance, template);
}

interface NewInstance {
  readonly instance: string;
  readonly bridge: Bridge;
  readonly address: string;
}

async function create(parts: BuildParts, build: TemplateBuild, at: NewInstance): Promise<void> {
  const { incus, templateLock, owner, names, clock } = parts;
  const { template, parent, signal, step } = build;
  const stamp = stampConfig({
    type: "rebuilding",
    profile: template.name,
    created: new Date(clock.now()).toISOString(),
    owner,
    address: at.address,
    network: "full",
  });
  const common = {
    name: at.instance,
    devices: { [nicName]: nicDevice(at.bridge, at.address) },
    profiles: [names.profile],
    start: true,
  };
  if (parent) {
    step(`copy of ${parent.name}`);
    const source: CreateInstance["source"] = { type: "copy", instance: parent.name };
    const options = signal === undefined ? { waitMs: 120_000 } : { waitMs: 120_000, signal };
    return templateLock.read(parent.name, options, async () => {
      const config = {
        ...clearedStamp((await incus.instances.get(parent.name, signal))?.config ?? {}),
        ...stamp,
      };
      await incus.instances.create({ ...common, source, config });
    });
  }
  const image = template.merged.image;
  if (image === undefined) throw new Error("A template without a parent has an image");
  const source = await imageSource(incus, image, { step, signal });
  step(`instance of ${image}`);
  await incus.instances.create({ ...common, source, config: stamp });
}

/** What failed is kept to be looked at; what was cancelled is not. Always throws. */
async function putAway(parts: BuildParts, { template }: TemplateBuild, error: unknown): Promise<never> {
  const failure = asFailure(error);
  if (failure === undefined || failure.outcome === "cancelled") {
    await discardInstance(parts, templateParts.rebuilding(template.name));
    throw error;
  }
  const kept = await keepFailedBuild(parts, template.name);
  throw failedBuild(template.name, failure, kept);
}
