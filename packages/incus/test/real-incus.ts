import { randomBytes } from "node:crypto";
import { createClock } from "@agent-control/system";
import { afterAll, beforeAll, describe, it } from "vitest";
import { createIncus } from "../src/create-incus.ts";
import type { Incus } from "../src/incus.ts";
import { type OwnDaemon, startOwnDaemon } from "./own-daemon.ts";

export interface IncusBench {
  readonly socketPath: string;
  /** A project of this bench's own, on the daemon's shared image, network and pool. */
  readonly project: string;
  readonly incus: Incus;
  /** The alias of the image that is there. */
  readonly image: string;
  /** A name that nothing else has: rules of the host's firewall are named by instance. */
  name(): string;
}

/**
 * A `describe` with a real daemon, the one of INCUS_SOCKET. Without it the tests are skipped, and say so; in CI a
 * missing daemon is a failure. The bench may be used inside tests and hooks only.
 */
export function describeWithIncus(title: string, define: (bench: IncusBench) => void): void {
  const socketPath = process.env["INCUS_SOCKET"] ?? "";
  if (socketPath === "") describeWithout(title);
  else describe(title, () => define(benchAt(socketPath)));
}

/** The same with a daemon that the tests may kill, started for them where there is one of INCUS_SOCKET. */
export function describeWithOwnIncus(title: string, define: (bench: IncusBench & OwnDaemon) => void): void {
  if (!process.env["INCUS_SOCKET"]) describeWithout(title);
  else
    describe(title, () => {
      const daemon = startOwnDaemon();
      afterAll(() => daemon.down(), 60_000);
      define({ ...daemon, ...benchAt(daemon.socketPath) });
    });
}

function benchAt(socketPath: string): IncusBench {
  const project = randomName("isx-test");
  const incus = createIncus({ socketPath, project, clock: createClock() });
  beforeAll(() => incus.projects.create(project, { config: sharing }));
  afterAll(async () => {
    await removeProject(incus, project);
    incus.close();
  }, 60_000);
  return { socketPath, project, incus, image: "base", name: () => randomName("t") };
}

const sharing = Object.fromEntries(
  ["images", "profiles", "networks", "storage.volumes"].map((feature) => [`features.${feature}`, "false"]),
);

function describeWithout(title: string): void {
  const reason = "INCUS_SOCKET does not name a daemon";
  if (process.env["CI"] === "true") {
    it(title, () => {
      throw new Error(`${reason}: start one with \`node tools/incus-host/incus-host.mjs up\``);
    });
    return;
  }
  console.warn(`skipped: ${title}: ${reason}`);
  it.skip(`${title} (${reason})`);
}

/**
 * Removes the project and its instances, and not by `force`: as the project shares its profiles, Incus 6.0 would then
 * empty the default profile of everybody.
 */
async function removeProject(incus: Incus, project: string): Promise<void> {
  for (const { name } of await incus.instances.list()) {
    await incus.instances.stop(name, { force: true });
    await incus.instances.delete(name);
  }
  await incus.projects.delete(project);
}

function randomName(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString("hex")}`;
}
