import type { Clock } from "@agent-control/base";
import type { Incus } from "@agent-control/incus";
import { createStreamKept } from "./exec-output.ts";
import { agentUser } from "./guest-user.ts";
import { type TimeLimit, within } from "./guest-within.ts";

export interface GuestProgram {
  /** Fixed text for bash. */
  readonly script: string;
  /** Fixed text, or `[a-z0-9-]`. */
  readonly args?: readonly string[];
  /** Runs as agentuser instead of root. */
  readonly asAgentuser?: boolean;
  readonly stdin?: Uint8Array;
  /** Bytes of stdout kept; what is over is dropped. */
  readonly outputLimit?: number;
}

export interface ProgramEnded {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** At most 2 KiB, plain text. */
  readonly stderr: string;
}

export interface RunPorts {
  readonly incus: Pick<Incus, "exec">;
  readonly clock: Clock;
}

/** Runs one of our own short programs in one exec; undefined when the time was up first. */
export async function runInGuest(
  { incus, clock }: RunPorts,
  instance: string,
  { script, args = [], stdin, asAgentuser = false, outputLimit = 0, ...limit }: GuestProgram & TimeLimit,
): Promise<ProgramEnded | undefined> {
  const chunks: Uint8Array[] = [];
  let free = outputLimit;
  const stderr = createStreamKept(2048);
  const ended = await within(clock, limit, (signal) =>
    incus.exec(instance, {
      command: ["/bin/bash", "-c", script, "isx", ...args],
      ...(stdin ? { stdin } : {}),
      ...(asAgentuser ? { uid: agentUser.uid, gid: agentUser.gid } : {}),
      onStdout: (chunk) => {
        chunks.push(chunk.subarray(0, free));
        free -= Math.min(free, chunk.length);
      },
      onStderr: (chunk) => stderr.push(chunk),
      signal,
    }),
  );
  if (!ended) return undefined;
  return { exitCode: ended.exitCode, stdout: Buffer.concat(chunks), stderr: stderr.show(2048).text.trim() };
}
