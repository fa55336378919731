import type { ProcessIdentity } from "@agent-control/base";
import type { HarnessId } from "@agent-control/harness";

/** One start of a profile in a pane; the file `launches/<id>.json` is its only truth. */
export interface Launch {
  readonly schema: 1;
  /** 128 random bits, base32, 26 lower-case characters. */
  readonly id: string;
  readonly profile: string;
  readonly harness: HarnessId;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  /** What relative profile directories are relative to. */
  readonly baseDirectory: string;
  readonly configFile: string;
  readonly stateDirectory: string;
  readonly runtimeDirectory: string;
  readonly multiplexer: "tmux" | "zellij";
  readonly session: { readonly id: string; readonly name: string };
  /** Real path. */
  readonly socket: string;
  /** Undefined until the multiplexer printed it. */
  readonly paneId: string | undefined;
  /** The multiplexer's server process at claim. */
  readonly server: { readonly pid: number; readonly start: string } | undefined;
  /** The agent's process at claim. */
  readonly process: ProcessIdentity | undefined;
  /** Launch id of the agent that started it; undefined for a person's. */
  readonly spawnedBy: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly claimedAt: string | undefined;
  /** Launch id that claimed the same pane later. */
  readonly replacedBy: string | undefined;
  readonly state: LaunchState;
}

export type LaunchState = "pending" | "claimed" | "exited" | "replaced";

/** A launch whose pane claimed it: pane, server and process are known. */
export type ClaimedLaunch = Launch & {
  readonly paneId: string;
  readonly server: { readonly pid: number; readonly start: string };
  readonly process: ProcessIdentity;
};

export function isClaimed(launch: Launch): launch is ClaimedLaunch {
  return (
    launch.state === "claimed" &&
    launch.paneId !== undefined &&
    launch.server !== undefined &&
    launch.process !== undefined
  );
}

/** A fresh launch id. */
export function launchId(randomBytes: Uint8Array): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  let bits = 0n;
  for (const byte of randomBytes) bits = (bits << 8n) | BigInt(byte);
  let id = "";
  for (let shift = randomBytes.length * 8; shift > 0; shift -= 5) {
    const value = shift >= 5 ? bits >> BigInt(shift - 5) : bits << BigInt(5 - shift);
    id += alphabet[Number(value & 31n)];
  }
  return id;
}

/** True for text that can be a launch id: it may become a file name. */
export function isLaunchId(text: string): boolean {
  return /^[a-z2-7]{26}$/.test(text);
}
