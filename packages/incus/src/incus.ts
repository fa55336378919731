/**
 * One Incus daemon, seen through one project. Every method throws a Failure from `incus-failure.ts` when the daemon
 * cannot be reached (`unavailable`, code `incus-missing`, `incus-stopped`, `incus-closed` or `incus-unreachable`) or
 * says no (`error`; code `incus-refused` where it has no code of its own), and the `cancelled` Failure when its signal fires. A missing thing is `undefined`,
 * a lost compare-and-swap `false`.
 */
export interface Incus {
  /** GET /1.0: who we are to the daemon and what it can do. */
  server(signal?: AbortSignal): Promise<ServerSeen>;
  readonly instances: Instances;
  readonly files: GuestFiles;
  readonly images: Images;
  readonly networks: Named<NetworkSeen, NetworkFields> & {
    /** Addresses that the network's DHCP server gave out or was told. */
    leases(name: string, signal?: AbortSignal): Promise<readonly Lease[]>;
  };
  readonly networkAcls: Named<AclSeen, AclFields>;
  readonly storagePools: Named<PoolSeen, PoolFields>;
  readonly profiles: Named<ProfileSeen, ProfileFields>;
  readonly projects: Named<ProjectSeen, ProjectFields>;
  /**
   * Runs a program in a running instance, streams apart. Resolves when it ended and its output was read; the exit
   * code is the true one, 126, 127 and 128+n included. A program that does not exist is 127. Throws `error`, code
   * `instance-not-running`, when the instance is stopped or stops meanwhile. The signal only ends the waiting: the
   * program gets SIGKILL, its children live on, so whatever must be cancellable runs in a unit.
   */
  exec(instance: string, request: ExecRequest): Promise<ExecEnded>;
  /** Runs a program on a terminal of the instance until it ends. */
  openTerminal(instance: string, request: TerminalRequest): Promise<Terminal>;
  /**
   * Calls `listener` for every event of the daemon until the signal fires; reconnects by itself. Whenever it is
   * connected, the first time too, it says `{ type: "gap" }`: events before it are lost, so list again.
   */
  listen(
    types: readonly ("lifecycle" | "operation")[],
    listener: (event: IncusEvent) => void,
    signal: AbortSignal,
  ): void;
  /** Closes idle connections, so that the process can end. */
  close(): void;
}

export interface ServerSeen {
  readonly version: string;
  /** False: the daemon answers, but not to this user. */
  readonly trusted: boolean;
  readonly storageDrivers: readonly string[];
  readonly project: string;
  readonly apiExtensions: readonly string[];
}

export type Keys = Readonly<Record<string, string>>;
export type Devices = Readonly<Record<string, Keys>>;

export interface InstanceSeen {
  readonly name: string;
  /** As Incus says it: "Running", "Stopped", "Frozen", "Error", "Starting" … */
  readonly status: string;
  readonly type: "container" | "virtual-machine";
  /** ISO-8601. With the name it identifies one incarnation. */
  readonly createdAt: string;
  readonly profiles: readonly string[];
  /** The instance's own keys, without what its profiles add. */
  readonly config: Keys;
  readonly devices: Devices;
  readonly expandedConfig: Keys;
  readonly expandedDevices: Devices;
}

export interface InstanceAt extends InstanceSeen {
  /** For `ifMatch`: changes with every change of the instance's keys, its start and its stop. */
  readonly etag: string;
}

export interface InstanceState {
  readonly status: string;
  /** Pid of its init on the host; 0 when stopped. */
  readonly pid: number;
  /** Nanoseconds of CPU used since its start; undefined when Incus does not say. */
  readonly cpuNs: number | undefined;
  /** By NIC name; empty when stopped. Byte counts since the start. */
  readonly network: Readonly<Record<string, NicState>>;
}

export interface NicState {
  readonly addresses: readonly {
    readonly family: string;
    readonly address: string;
    readonly scope: string;
  }[];
  readonly bytesReceived: number;
  readonly bytesSent: number;
}

export interface CreateInstance {
  readonly name: string;
  /**
   * A copy inherits every `user.*`, `security.*` and `limits.*` key of its source: `config` overrides, "" removes.
   * A copy of another project's instance names that project.
   */
  readonly source:
    | { readonly type: "copy"; readonly instance: string; readonly project?: string }
    | { readonly type: "image"; readonly alias: string }
    | { readonly type: "image"; readonly fingerprint: string };
  readonly config?: Keys;
  readonly devices?: Devices;
  readonly profiles?: readonly string[];
  /** Starts it in the same request. */
  readonly start?: boolean;
}

export interface InstanceChange {
  /** Merged into what is there; "" removes a key. */
  readonly config?: Keys;
  /** The whole of each named device; others stay. `null` removes one. */
  readonly devices?: Readonly<Record<string, Keys | null>>;
  readonly profiles?: readonly string[];
}

export interface Instances {
  /** In one request; `where` are exact `config` keys, e.g. `{ "user.incus-spawn.mcp-owner": "1000:ada" }`. */
  list(options?: { readonly where?: Keys; readonly signal?: AbortSignal }): Promise<readonly InstanceSeen[]>;
  get(name: string, signal?: AbortSignal): Promise<InstanceAt | undefined>;
  state(name: string, signal?: AbortSignal): Promise<InstanceState | undefined>;
  /** Waits for the operation; a cancelled one is cancelled at the daemon too where that is possible. Throws code `name-taken` for an existing name. */
  create(request: CreateInstance, signal?: AbortSignal): Promise<void>;
  /** Writes if the instance still is as `etag` says; false when it changed meanwhile or is gone. */
  change(name: string, change: InstanceChange, etag: string, signal?: AbortSignal): Promise<boolean>;
  /** Idempotent: a running one is a success. */
  start(name: string, signal?: AbortSignal): Promise<void>;
  /**
   * Idempotent. Asks the guest to shut down and gives it `graceS` seconds; `force` ends it at once. Resolves to false
   * when the grace was not enough: the guest is then half shut down and wants a forced stop.
   */
  stop(
    name: string,
    how: { readonly graceS: number } | { readonly force: true },
    signal?: AbortSignal,
  ): Promise<boolean>;
  rename(name: string, to: string, signal?: AbortSignal): Promise<void>;
  /** Deletes a stopped instance; false when it was not there. Incus ignores an ETag here: stamp first. */
  delete(name: string, signal?: AbortSignal): Promise<boolean>;
}

export interface ExecRequest {
  readonly command: readonly string[];
  /** The whole environment but PATH, HOME, USER and LANG of root. Incus drops a value of 128 KiB silently: refused here, as is a NUL. */
  readonly environment?: Keys;
  /** Sets neither HOME nor USER; default 0. */
  readonly uid?: number;
  readonly gid?: number;
  /** Incus replaces a missing one by "/" silently: check it first. */
  readonly cwd?: string;
  readonly stdin?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Called in order for each stream; a promise holds the guest back. */
  readonly onStdout?: (chunk: Uint8Array) => void | Promise<void>;
  readonly onStderr?: (chunk: Uint8Array) => void | Promise<void>;
  readonly signal?: AbortSignal;
}

export interface ExecEnded {
  readonly exitCode: number;
}

export interface TerminalRequest {
  readonly command: readonly string[];
  readonly environment?: Keys;
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd?: string;
  readonly columns: number;
  readonly rows: number;
  readonly onOutput: (chunk: Uint8Array) => void;
  /** Hangs up: the program is killed. */
  readonly signal?: AbortSignal;
}

export interface Terminal {
  write(bytes: Uint8Array): void;
  resize(columns: number, rows: number): void;
  /** Hangs up and kills the program. */
  hangUp(): void;
  readonly ended: Promise<ExecEnded>;
}

export type GuestFile =
  | {
      readonly kind: "file";
      readonly bytes: Uint8Array;
      readonly mode: number;
      readonly uid: number;
      readonly gid: number /** True: it was longer than the limit and `bytes` is its start. */;
      readonly cut: boolean;
    }
  | { readonly kind: "symlink"; readonly target: string }
  /** Names sorted. */
  | { readonly kind: "directory"; readonly names: readonly string[] };

/** Files inside an instance, running or stopped, as guest root: parent symlinks are followed, so never write as root below a directory that agentuser may write. */
export interface GuestFiles {
  /** undefined when nothing is there. */
  read(
    instance: string,
    path: string,
    options: { readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<GuestFile | undefined>;
  /**
   * Replaces what is there, a link itself and not what it points to. Not atomic for a reader: write aside and rename
   * by exec where that matters. The parent must exist; `mode` is at most 0o777.
   */
  write(
    instance: string,
    path: string,
    bytes: Uint8Array | string,
    options: {
      readonly mode: number;
      readonly uid: number;
      readonly gid: number;
      readonly signal?: AbortSignal;
    },
  ): Promise<void>;
  /** Leaves a directory that is there as it is. */
  makeDirectory(
    instance: string,
    path: string,
    options: {
      readonly mode: number;
      readonly uid: number;
      readonly gid: number;
      readonly signal?: AbortSignal;
    },
  ): Promise<void>;
  makeSymlink(instance: string, path: string, target: string, signal?: AbortSignal): Promise<void>;
  /** False when nothing was there. */
  remove(instance: string, path: string, signal?: AbortSignal): Promise<boolean>;
}

export interface Images {
  /** The fingerprint that a local alias names. */
  fingerprintOf(alias: string, signal?: AbortSignal): Promise<string | undefined>;
  list(signal?: AbortSignal): Promise<readonly ImageSeen[]>;
  /** Pulls an image of a simplestreams server and gives it a local alias; resolves to its fingerprint. */
  pull(
    request: {
      readonly server: string;
      readonly alias: string;
      readonly as: string;
      readonly onProgress?: (text: string) => void;
    },
    signal?: AbortSignal,
  ): Promise<string>;
  delete(fingerprint: string, signal?: AbortSignal): Promise<boolean>;
}

export interface ImageSeen {
  readonly fingerprint: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** Bytes. */
  readonly size: number;
}

/** A kind of thing that has a name. */
export interface Named<Seen, Fields> {
  list(signal?: AbortSignal): Promise<readonly Seen[]>;
  get(name: string, signal?: AbortSignal): Promise<(Seen & { readonly etag: string }) | undefined>;
  /** Throws code `name-taken` for an existing name. */
  create(name: string, fields: Fields, signal?: AbortSignal): Promise<void>;
  /** Merges into what is there; false when it changed meanwhile or is gone. */
  change(name: string, fields: Partial<Fields>, etag: string, signal?: AbortSignal): Promise<boolean>;
  delete(name: string, signal?: AbortSignal): Promise<boolean>;
}

export interface NetworkFields {
  readonly config: Keys;
  readonly description?: string;
}
export interface NetworkSeen extends Required<NetworkFields> {
  readonly name: string;
  readonly type: string;
  readonly managed: boolean;
}

export interface Lease {
  readonly hostname: string;
  readonly address: string;
  readonly hwaddr: string;
  readonly type: string;
}

export interface AclRule {
  readonly action: "allow" | "drop" | "reject";
  readonly state: "enabled" | "disabled" | "logged";
  readonly protocol?: string;
  readonly destination?: string;
  readonly destination_port?: string;
  readonly source?: string;
  readonly description?: string;
}
export interface AclFields {
  readonly egress: readonly AclRule[];
  readonly ingress: readonly AclRule[];
  readonly description?: string;
}
export interface AclSeen extends Required<AclFields> {
  readonly name: string;
}

export interface PoolFields {
  readonly driver: string;
  readonly config: Keys;
  readonly description?: string;
}
export interface PoolSeen extends Required<PoolFields> {
  readonly name: string;
  readonly status: string;
}

export interface ProfileFields {
  readonly config: Keys;
  readonly devices: Devices;
  readonly description?: string;
}
export interface ProfileSeen extends Required<ProfileFields> {
  readonly name: string;
}

export interface ProjectFields {
  readonly config: Keys;
  readonly description?: string;
}
export interface ProjectSeen extends Required<ProjectFields> {
  readonly name: string;
}

export type IncusEvent =
  | { readonly type: "gap" }
  | {
      readonly type: "lifecycle";
      /** E.g. "instance-started", "instance-stopped", "instance-deleted", "instance-updated". */
      readonly action: string;
      readonly project: string;
      /** E.g. "/1.0/instances/c1". */
      readonly source: string;
    }
  | {
      readonly type: "operation";
      readonly id: string;
      readonly status: string;
      readonly error: string;
      readonly metadata: Readonly<Record<string, unknown>>;
    };
