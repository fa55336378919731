import { randomBytes } from "node:crypto";
import { createIncus, type Incus } from "@agent-control/incus";
import { createMachine } from "@agent-control/system";
import { afterAll, beforeAll, it } from "vitest";
import { createGuest } from "../src/create-guest.ts";
import type { Guest, GuestExec, GuestExecEnded, TaskSeen } from "../src/guest.ts";

const incusSocket = process.env["INCUS_SOCKET"];

/** Like `it`, for tests that need Incus: without INCUS_SOCKET they are skipped, except in CI, where they fail. */
export const runsWithIncus = Boolean(incusSocket) || process.env["CI"] === "true";
export const incusIt = runsWithIncus ? it : it.skip;
if (!incusSocket) console.log("Tests that need Incus are skipped: INCUS_SOCKET names none");

const machine = createMachine({ onError: (failure) => console.error(failure.message) });

/** A booted instance in a project of its own. */
export interface GuestWorld {
  readonly name: string;
  readonly incus: Incus;
  readonly guest: Guest;
  /** How many execs the guest's calls have cost so far. */
  execs(): number;
  run(command: string, options?: Partial<GuestExec>): Promise<GuestExecEnded>;
  /** What a command prints, trimmed. */
  say(command: string): Promise<string>;
  /** As root, without a unit and a mark. */
  root(script: string): Promise<void>;
  /** Waits until the tasks are no longer running. */
  over(...ids: string[]): Promise<ReadonlyMap<string, TaskSeen>>;
  /** Command lines in the guest that hold the text. */
  processes(text: string): Promise<number>;
}

/** A world for a test file; opened before its tests and removed after them. `via` names another daemon's socket. */
export function useGuest(via?: string): GuestWorld {
  const socketPath = via ?? incusSocket;
  const project = `isx-guest-${randomBytes(4).toString("hex")}`;
  const name = `g-${randomBytes(4).toString("hex")}`;
  const incus = createIncus({ socketPath: socketPath ?? "/nonexistent", project, clock: machine.clock });
  let execs = 0;
  const counted: Pick<Incus, "exec"> = {
    exec: (...args) => {
      execs += 1;
      return incus.exec(...args);
    },
  };
  const guest = createGuest({ ...machine, incus: counted });
  const run = (command: string, options: Partial<GuestExec> = {}) =>
    guest.exec(name, { command, maxOutputBytes: 8192, ...options });
  const root = async (script: string) => {
    const { exitCode } = await incus.exec(name, { command: ["bash", "-c", script] });
    if (exitCode !== 0) throw new Error(`${script}: exit ${exitCode}`);
  };

  if (socketPath) {
    beforeAll(() => makeInstance(incus, guest, { project, name }), 60_000);
    afterAll(() => removeProject(incus, { project, name }), 60_000);
  }
  return {
    name,
    incus,
    guest,
    execs: () => execs,
    run,
    root,
    say: async (command) => (await run(command)).stdout.text.trim(),
    async over(...ids) {
      for (;;) {
        const seen = await guest.probeTasks(name, ids, { timeoutMs: 5000 });
        if ([...seen.values()].every(({ state }) => state !== "running")) return seen;
      }
    },
    async processes(text) {
      const hidden = `[${text.slice(0, 1)}]${text.slice(1)}`;
      const { stdout } = await run(`ps -eo args | grep -c -- "$HIDDEN"`, { env: { HIDDEN: hidden } });
      return Number(stdout.text);
    },
  };
}

interface Place {
  readonly project: string;
  readonly name: string;
}

async function makeInstance(incus: Incus, guest: Guest, { project, name }: Place): Promise<void> {
  const own = ["images", "profiles", "networks", "storage.volumes"];
  await incus.projects.create(project, {
    config: Object.fromEntries(own.map((feature) => [`features.${feature}`, "false"])),
  });
  await incus.instances.create({ name, source: { type: "image", alias: "base" }, start: true });
  await guest.waitForBoot(name, { timeoutMs: 20_000 });
}

async function removeProject(incus: Incus, { project, name }: Place): Promise<void> {
  await incus.instances.stop(name, { force: true });
  await incus.instances.delete(name);
  await incus.projects.delete(project);
  incus.close();
}
