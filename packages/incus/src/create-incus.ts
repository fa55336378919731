import type { Clock } from "@agent-control/base";
import * as z from "zod";
import { type ConnectionOptions, createConnection } from "./connection.ts";
import { createDaemon, type Daemon } from "./daemon.ts";
import { createListen } from "./events.ts";
import { exec } from "./exec.ts";
import { createFileRequests } from "./file-requests.ts";
import { createGuestFiles } from "./files.ts";
import { createImages } from "./images.ts";
import type { Incus, Lease, ServerSeen } from "./incus.ts";
import { unreadable } from "./incus-failure.ts";
import { createInstances } from "./instances.ts";
import { createNamed } from "./named.ts";
import { createOperations } from "./operations.ts";
import { openTerminal } from "./terminal.ts";
import {
  aclSchema,
  leaseSchema,
  networkSchema,
  poolSchema,
  profileSchema,
  projectSchema,
  serverSchema,
} from "./wire.ts";

export interface IncusOptions extends ConnectionOptions {
  readonly clock: Clock;
}

/** The daemon that listens at `socketPath`, seen through `project`. Connects with the first call. */
export function createIncus({ clock, ...options }: IncusOptions): Incus {
  const connection = createConnection(options);
  const daemon = createDaemon(connection);
  const over = { connection, daemon, operations: createOperations(daemon) };
  return {
    server: (signal) => showServer(daemon, signal),
    instances: createInstances(over),
    files: createGuestFiles(createFileRequests(connection, clock)),
    images: createImages({ ...over, clock }),
    networks: {
      ...createNamed(over, { collection: "networks", schema: networkSchema }),
      leases: (name, signal) => listLeases(daemon, name, signal),
    },
    networkAcls: createNamed(over, { collection: "network-acls", schema: aclSchema }),
    storagePools: createNamed(over, { collection: "storage-pools", schema: poolSchema }),
    profiles: createNamed(over, { collection: "profiles", schema: profileSchema }),
    projects: createNamed(over, { collection: "projects", schema: projectSchema }),
    exec: (instance, request) => exec(over, instance, request),
    openTerminal: (instance, request) => openTerminal(over, instance, request),
    listen: createListen(connection, clock),
    close: connection.close,
  };
}

async function showServer(daemon: Daemon, signal?: AbortSignal): Promise<ServerSeen> {
  const seen = await daemon.look([], serverSchema, { signal });
  if (seen === undefined) throw unreadable("the server");
  return seen.value;
}

async function listLeases(daemon: Daemon, network: string, signal?: AbortSignal): Promise<readonly Lease[]> {
  const seen = await daemon.look(["networks", network, "leases"], z.array(leaseSchema), { signal });
  return seen?.value ?? [];
}
