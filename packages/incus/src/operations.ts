import { orCancelled, throwIfCancelled } from "@agent-control/base";
import { type Call, type Daemon, isAbsence, type Reply } from "./daemon.ts";
import { type Refusal, readRefusal, refused, unreadable } from "./incus-failure.ts";
import { type Operation, operationSchema } from "./wire.ts";

export type Ended =
  | { readonly type: "done"; readonly metadata: unknown }
  | { readonly type: "refused"; readonly refusal: Refusal };

export interface Operations {
  /**
   * Sends the call and, when the daemon makes an operation of it, waits for its end. When the signal fires, it
   * throws at once and the operation is cancelled at the daemon, which is possible for some kinds only. `onStarted`
   * is told the operation's id.
   */
  run(call: Call, signal?: AbortSignal, onStarted?: (id: string) => void): Promise<Ended>;
  /** The end of an operation; throws when the daemon no longer knows it. */
  wait(id: string, signal?: AbortSignal): Promise<Ended>;
  /** An operation as it is now; undefined when it ended more than five seconds ago. */
  look(id: string, signal?: AbortSignal): Promise<Operation | undefined>;
}

export function createOperations(daemon: Daemon): Operations {
  async function wait(id: string, signal?: AbortSignal): Promise<Ended> {
    const path = ["operations", id, "wait"];
    const reply = await daemon.ask({ method: "GET", path, query: { timeout: "-1" }, signal });
    return endOf(reply, id);
  }

  async function run(call: Call, signal = neverFires(), onStarted = (_: string) => {}): Promise<Ended> {
    throwIfCancelled(signal);
    // Without the signal: only its answer tells which operation there is to cancel.
    const asked = daemon.ask(call);
    const cancel = () => void asked.then((reply) => cancelOperation(daemon, reply), ignoreUnreached);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const reply = await orCancelled(signal, asked);
      if (reply.type === "refused") return reply;
      if (reply.type === "sync") return { type: "done", metadata: reply.metadata };
      onStarted(reply.operation);
      return await wait(reply.operation, signal);
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  return {
    run,
    wait,
    look: async (id, signal) => (await daemon.look(["operations", id], operationSchema, { signal }))?.value,
  };
}

/** The metadata of a call that went well; throws the Failure of a refusal. */
export function accepted(ended: Ended, doing: string): unknown {
  if (ended.type === "refused") throw refused(ended.refusal, doing);
  return ended.metadata;
}

// One for each call: Node warns of many listeners on a shared one.
function neverFires(): AbortSignal {
  return new AbortController().signal;
}

/** False for a thing that is gone or was changed meanwhile; throws the Failure of any other refusal. */
export function isDone(ended: Ended, doing: string): boolean {
  if (ended.type === "refused" && (ended.refusal.code === "stale" || isAbsence(ended.refusal))) return false;
  accepted(ended, doing);
  return true;
}

async function cancelOperation(daemon: Daemon, reply: Reply): Promise<void> {
  if (reply.type !== "async") return;
  await daemon.ask({ method: "DELETE", path: ["operations", reply.operation] }).catch(ignoreUnreached);
}

// The caller has its `cancelled` already, and nothing was promised about a daemon that is away.
function ignoreUnreached(): void {}

function endOf(reply: Reply, id: string): Ended {
  if (reply.type === "refused") {
    if (reply.refusal.code === "operation-gone")
      throw refused(reply.refusal, `say how operation ${id} ended`);
    return reply;
  }
  const operation = operationSchema.safeParse(reply.metadata);
  if (!operation.success) throw unreadable(`operation ${id}`, operation.error);
  const { status_code, err, metadata } = operation.data;
  // Other versions of Incus answer a wait with the failed operation itself.
  if (status_code >= 400) return { type: "refused", refusal: readRefusal(status_code, err) };
  return { type: "done", metadata };
}
