// What Incus prints, read leniently: unknown keys are dropped, and Go's null for an empty map or list is one.
import * as z from "zod";
import type {
  AclRule,
  AclSeen,
  Devices,
  ImageSeen,
  InstanceSeen,
  InstanceState,
  Keys,
  Lease,
  NetworkSeen,
  PoolSeen,
  ProfileSeen,
  ProjectSeen,
  ServerSeen,
} from "./incus.ts";

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const count = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);
const keys: z.ZodType<Keys> = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});
const devices: z.ZodType<Devices> = z
  .record(z.string(), keys)
  .nullish()
  .transform((value) => value ?? {});

function listOf<T>(item: z.ZodType<T>) {
  return z
    .array(item)
    .nullish()
    .transform((value): readonly T[] => value ?? []);
}

export const replySchema = z.object({
  type: z.enum(["sync", "async", "error"]),
  metadata: z.unknown(),
  operation: text,
  error: text,
  error_code: count,
});

export const operationSchema = z.object({
  id: z.string(),
  status: text,
  status_code: count,
  err: text,
  created_at: text,
  metadata: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((value) => value ?? {}),
});
export type Operation = z.output<typeof operationSchema>;

/** An exec operation that begins: `fds` holds a secret for each stream. */
export const execSchema = z.object({
  id: z.string(),
  created_at: text,
  metadata: z.object({ fds: z.record(z.string(), z.string()) }),
});
/** The metadata of one that ended. */
export const endedExecSchema = z.object({ return: z.number() });

export const serverSchema: z.ZodType<ServerSeen> = z
  .object({
    auth: text,
    api_extensions: listOf(z.string()),
    environment: z
      .object({
        server_version: text,
        project: text,
        storage_supported_drivers: listOf(z.object({ Name: z.string() })),
      })
      .nullish(),
  })
  .transform(({ auth, api_extensions, environment }) => ({
    version: environment?.server_version ?? "",
    trusted: auth === "trusted",
    storageDrivers: environment?.storage_supported_drivers.map(({ Name }) => Name) ?? [],
    project: environment?.project ?? "",
    apiExtensions: api_extensions,
  }));

export const instanceSchema: z.ZodType<InstanceSeen> = z
  .object({
    name: z.string(),
    status: text,
    type: z.enum(["container", "virtual-machine"]),
    created_at: text,
    profiles: listOf(z.string()),
    config: keys,
    devices,
    expanded_config: keys,
    expanded_devices: devices,
  })
  .transform(({ created_at, expanded_config, expanded_devices, ...rest }) => ({
    ...rest,
    createdAt: created_at,
    expandedConfig: expanded_config,
    expandedDevices: expanded_devices,
  }));

/** Everything that a GET shows, for a PUT that has to repeat it. */
export const shownSchema = z.record(z.string(), z.unknown());

export const startSchema = z.object({ status: text, started_at: text });

/** `GET /1.0/operations?recursion=1`: operations by status. */
export const operationListSchema = z.object({
  running: listOf(
    z.object({ description: text, resources: z.record(z.string(), listOf(z.string())).nullish() }),
  ),
});

const nicSchema = z
  .object({
    addresses: listOf(z.object({ family: text, address: text, scope: text })),
    counters: z.object({ bytes_received: count, bytes_sent: count }).nullish(),
  })
  .transform(({ addresses, counters }) => ({
    addresses,
    bytesReceived: counters?.bytes_received ?? 0,
    bytesSent: counters?.bytes_sent ?? 0,
  }));

export const stateSchema: z.ZodType<InstanceState> = z
  .object({
    status: text,
    pid: count,
    cpu: z.object({ usage: count }).nullish(),
    network: z.record(z.string(), nicSchema).nullish(),
  })
  .transform(({ status, pid, cpu, network }) => ({
    status,
    pid: Math.max(0, pid),
    // A stopped one has -1 or 0, and a running one has used some.
    cpuNs: cpu && cpu.usage > 0 ? cpu.usage : undefined,
    network: network ?? {},
  }));

export const aliasSchema = z.object({ target: z.string() });

export const imageSchema: z.ZodType<ImageSeen> = z
  .object({
    fingerprint: z.string(),
    aliases: listOf(z.object({ name: z.string() })),
    properties: keys,
    size: count,
  })
  .transform(({ fingerprint, aliases, properties, size }) => ({
    fingerprint,
    aliases: aliases.map(({ name }) => name),
    description: properties["description"] ?? "",
    size,
  }));

export const pulledSchema = z.object({ fingerprint: z.string() });

export const networkSchema: z.ZodType<NetworkSeen> = z.object({
  name: z.string(),
  type: text,
  managed: z.boolean().default(false),
  config: keys,
  description: text,
});

export const leaseSchema: z.ZodType<Lease> = z.object({
  hostname: text,
  address: text,
  hwaddr: text,
  type: text,
});

// Incus writes a field that is not set as "".
const ruleSchema: z.ZodType<AclRule> = z
  .record(z.string(), z.unknown())
  .transform((rule) => Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== "")))
  .pipe(
    z.object({
      action: z.enum(["allow", "drop", "reject"]),
      state: z.enum(["enabled", "disabled", "logged"]),
      protocol: z.string().exactOptional(),
      destination: z.string().exactOptional(),
      destination_port: z.string().exactOptional(),
      source: z.string().exactOptional(),
      description: z.string().exactOptional(),
    }),
  );

export const aclSchema: z.ZodType<AclSeen> = z.object({
  name: z.string(),
  egress: listOf(ruleSchema),
  ingress: listOf(ruleSchema),
  description: text,
});

export const poolSchema: z.ZodType<PoolSeen> = z.object({
  name: z.string(),
  driver: text,
  status: text,
  config: keys,
  description: text,
});

export const profileSchema: z.ZodType<ProfileSeen> = z.object({
  name: z.string(),
  config: keys,
  devices,
  description: text,
});

export const projectSchema: z.ZodType<ProjectSeen> = z.object({
  name: z.string(),
  config: keys,
  description: text,
});

export const fileNamesSchema = z.object({ metadata: listOf(z.string()) });

export const eventSchema = z.object({
  type: z.string(),
  project: text,
  metadata: z.record(z.string(), z.unknown()),
});
export const lifecycleSchema = z.object({
  action: text,
  // Its project is in the event.
  source: text.transform((path) => path.split("?")[0] ?? ""),
});
