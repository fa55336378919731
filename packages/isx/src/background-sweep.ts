import { type Audit, type AuditFields, auditedCall } from "@agent-control/audit";
import { asFailure, type Clock, shownText } from "@agent-control/base";
import type { SweepAct } from "@agent-control/instances";
import type { OpenSession } from "./open-session.ts";
import type { SettingsReader } from "./settings.ts";

export interface SweepParts {
  readonly clock: Clock;
  readonly settings: SettingsReader;
  readonly audit: Audit;
  readonly session: () => Promise<OpenSession>;
  diagnose(line: string): void;
}

/** The one look after orphans that a server takes. */
export interface BackgroundSweep {
  begin(): void;
  /** Resolves when it is over or was cut off. */
  end(): Promise<void>;
}

// The client is to have its first answers before anything is loaded for this.
const delayMs = 1000;

export function createBackgroundSweep(parts: SweepParts): BackgroundSweep {
  const over = new AbortController();
  let running: Promise<void> = Promise.resolve();
  return {
    begin() {
      running = sweepLater(parts, over.signal);
    },
    async end() {
      over.abort();
      await running;
    },
  };
}

async function sweepLater(parts: SweepParts, signal: AbortSignal): Promise<void> {
  try {
    await parts.clock.sleep(delayMs, signal);
    await sweepNow(parts, signal);
  } catch (error) {
    const failure = asFailure(error);
    if (failure === undefined) parts.diagnose(`Orphans were not looked after: ${error}`);
    // Unusable settings and an unreachable Incus are told by every call; the next start looks again.
  }
}

async function sweepNow(parts: SweepParts, signal: AbortSignal): Promise<void> {
  const limits = (await parts.settings.read()).settings();
  const { sweep, holdings } = await parts.session();
  const fields = { session: holdings.session };
  const swept = await sweep({
    limits,
    signal,
    audited: (act, body) => audited(parts, { ...act, fields }, body),
  });
  for (const { instance, did, why } of swept ?? []) {
    if (did !== "left") parts.diagnose(`isx: ${shownText(instance)} ${did}: ${why}`);
  }
}

async function audited(
  { audit, clock, diagnose }: SweepParts,
  { instance, act, why, fields }: SweepAct & { readonly fields: AuditFields },
  body: () => Promise<boolean>,
): Promise<boolean> {
  const call = {
    clock,
    diagnose,
    actor: "mcp",
    action: act === "destroy" ? "reap_orphan" : "stop_dormant",
    fields: { ...fields, instance, detail: why },
    acting: true,
  };
  const { value } = await auditedCall(audit, call, async (note) => {
    const done = await body();
    note({ done });
    return done;
  });
  return value;
}
