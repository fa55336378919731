import type { Calls } from "./fake-calls.ts";
import { createFakeNamed } from "./fake-named.ts";
import type {
  AclFields,
  AclSeen,
  Incus,
  Lease,
  NetworkFields,
  NetworkSeen,
  PoolFields,
  PoolSeen,
  ProfileFields,
  ProfileSeen,
  ProjectFields,
  ProjectSeen,
} from "./incus.ts";

type Kinds = Pick<Incus, "networks" | "networkAcls" | "storagePools" | "profiles" | "projects">;

export interface FakeKinds extends Kinds {
  readonly profileMap: ReadonlyMap<string, ProfileSeen>;
  /** Of every network. */
  readonly leases: Lease[];
}

/** Networks and the rest: "br0", "default", "default" and the project are there from the start. */
export function createFakeKinds(calls: Calls, project: string): FakeKinds {
  const networks = new Map([["br0", networkOf("br0", { config: { "ipv4.address": "10.0.0.1/24" } })]]);
  const pools = new Map([["default", poolOf("default", { driver: "btrfs", config: {} })]]);
  const profileMap = new Map([["default", profileOf("default", { config: {}, devices: defaultDevices })]]);
  const projects = new Map([[project, projectOf(project, { config: {} })]]);
  const acls = new Map<string, AclSeen>();
  const leases: Lease[] = [];
  return {
    profileMap,
    leases,
    networks: {
      ...createFakeNamed({ collection: "networks", things: networks, calls, made: networkOf }),
      leases: (name, signal) => calls.run("networks.leases", name, { signal, body: () => [...leases] }),
    },
    networkAcls: createFakeNamed({ collection: "networkAcls", things: acls, calls, made: aclOf }),
    storagePools: createFakeNamed({ collection: "storagePools", things: pools, calls, made: poolOf }),
    profiles: createFakeNamed({ collection: "profiles", things: profileMap, calls, made: profileOf }),
    projects: createFakeNamed({ collection: "projects", things: projects, calls, made: projectOf }),
  };
}

const defaultDevices = {
  eth0: { type: "nic", network: "br0" },
  root: { type: "disk", path: "/", pool: "default" },
};

function networkOf(name: string, fields: NetworkFields): NetworkSeen {
  return { name, type: "bridge", managed: true, description: "", ...fields };
}

function aclOf(name: string, fields: AclFields): AclSeen {
  return { name, description: "", ...fields };
}

function poolOf(name: string, fields: PoolFields): PoolSeen {
  return { name, status: "Created", description: "", ...fields };
}

function profileOf(name: string, fields: ProfileFields): ProfileSeen {
  return { name, description: "", ...fields };
}

function projectOf(name: string, fields: ProjectFields): ProjectSeen {
  return { name, description: "", ...fields };
}
