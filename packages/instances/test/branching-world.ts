import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIncus, type Incus } from "@agent-control/incus";
import { createMachine, type Machine } from "@agent-control/system";
import { createBranching } from "../src/create-branching.ts";
import { createBuilds } from "../src/create-builds.ts";
import { createGuest } from "../src/create-guest.ts";
import { createTemplates } from "../src/create-templates.ts";
import { discardInstance } from "../src/discard-instance.ts";
import type { Guest } from "../src/guest.ts";
import { type PreparedHost, prepareHost } from "../src/host-setup.ts";
import { type HostNames, hostNames } from "../src/networks.ts";

export const incusSocket = process.env["INCUS_SOCKET"];
if (incusSocket === undefined) {
  if (process.env["CI"] === "true")
    throw new Error("INCUS_SOCKET is not set, and CI must try the real Incus");
  console.log("Skipped: INCUS_SOCKET names no Incus to try this with");
}

export const proxyPort = 18443;

/** A host user of a real Incus that nobody else is, with a project, networks and directories of its own. */
export interface RealWorld {
  readonly incus: Incus;
  readonly machine: Machine;
  readonly project: string;
  readonly uid: number;
  readonly names: HostNames;
  readonly owner: string;
  readonly host: PreparedHost;
  /** For definitions. */
  readonly configDirectory: string;
  readonly lockDirectory: string;
  readonly templates: ReturnType<typeof createTemplates>;
  readonly branching: ReturnType<typeof createBranching>;
  readonly builds: ReturnType<typeof createBuilds>;
  readonly guest: Guest;
  /** Names are unique on the machine: the firewall's chains carry them. */
  unique(stem: string): string;
  define(text: string): void;
  redefine(old: string, text: string): void;
  defineTool(name: string, text: string): void;
  defineProject(text: string): void;
  discard(instance: string): Promise<void>;
  end(): Promise<void>;
}

export async function openWorld(
  socketPath: string,
  options: { certificate?: string } = {},
): Promise<RealWorld> {
  const machine = createMachine({ onError: (failure) => console.error(failure.message) });
  const tag = randomBytes(3).toString("hex");
  const uid = 3_000_000_000 + (randomBytes(4).readUInt32BE() % 1_000_000_000);
  const project = `isx-test-${tag}`;
  const root = mkdtempSync(join(tmpdir(), "isx-instances-"));
  const incus = createIncus({ socketPath, project, clock: machine.clock });
  const names = hostNames(uid);
  const owner = `${uid}:tester`;
  const configDirectory = join(root, "config");
  const lockDirectory = join(root, "locks");
  machine.files.makeDirectory(lockDirectory);
  const host = await prepareHost(
    { ...machine, incus },
    { names, pool: "default", proxyPorts: [proxyPort], project },
  );
  const templates = createTemplates({
    files: machine.files,
    configDirectory,
    projectDirectory: join(root, "repo"),
    config: async () => ({ searchPaths: [], baseImage: "base" }),
  });
  const guest = createGuest({ ...machine, incus });
  const parts = { ...machine, incus, guest, templates, names, owner, lockDirectory };
  const discard = (name: string) => discardInstance({ ...machine, incus }, name);
  const fileNames = new Map<string, string>();
  const fileOf = (old: string, text = old): string => {
    const name = fileNames.get(old) ?? `d${fileNames.size}.yaml`;
    fileNames.set(old, name).set(text, name);
    return name;
  };
  const write = (directory: string, file: string, text: string): void => {
    machine.files.makeDirectory(directory);
    machine.files.write(join(directory, file), text);
  };
  return {
    incus,
    machine,
    project,
    uid,
    names,
    owner,
    host,
    configDirectory,
    lockDirectory,
    templates,
    guest,
    branching: createBranching(parts),
    builds: createBuilds({ ...parts, certificate: () => options.certificate }),
    discard,
    unique: (stem) => `${stem}-${tag}`,
    define: (text) => write(join(configDirectory, "images"), fileOf(text), text),
    redefine: (old, text) => write(join(configDirectory, "images"), fileOf(old, text), text),
    defineTool: (name, text) => write(join(configDirectory, "tools"), `${name}.yaml`, text),
    defineProject: (text) => write(join(root, "repo", ".incus-spawn", "images"), fileOf(text), text),
    async end() {
      for (const { name } of await incus.instances.list()) await discard(name);
      await incus.profiles.delete(names.profile);
      for (const network of [names.full, names.proxyOnly]) await incus.networks.delete(network);
      await incus.networkAcls.delete(names.acl);
      // Not by force: Incus 6.0.4 then also empties the default profile of the default project, which all share.
      await incus.projects.delete(project);
      incus.close();
      rmSync(root, { recursive: true });
    },
  };
}
