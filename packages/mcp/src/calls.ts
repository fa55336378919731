import type { Refusal } from "@agent-control/base";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import type { SendProgress } from "./progress.ts";
import { failureReply, type ToolReply } from "./reply.ts";
import { defect, type RunOptions, runCall } from "./run-call.ts";
import type { AnyTool } from "./tool.ts";

export interface CallsOptions<Context> extends RunOptions<Context> {
  /** Loads the tools of the catalogue at the first call. */
  tools(): Promise<readonly AnyTool<Context>[]>;
  /** Makes a tool that is listed beside the catalogue; needed by servers with `addedTools`. */
  addedTool?(name: string): AnyTool<Context> | Promise<AnyTool<Context>>;
}

export interface CallRequest {
  readonly entry: CatalogueEntry;
  readonly arguments: unknown;
  /** The client's own name, as far as it says one. */
  readonly client: string | undefined;
  /** Fires when the client cancels the call. */
  readonly signal: AbortSignal;
  readonly sendProgress: SendProgress | undefined;
}

/** The calls of one connection. */
export interface Calls {
  /** Runs one call of a listed tool. Never rejects. More than 256 at a time are refused. */
  run(request: CallRequest): Promise<ToolReply>;
  /** Cancels the calls of waiting tools, now and from now on. */
  cancelWaits(): void;
  /** Cancels every call, now and from now on. */
  cancelAll(): void;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
}

export function createCalls<Context>(options: CallsOptions<Context>): Calls {
  const running = createRunning();
  let loading: Promise<readonly AnyTool<Context>[]> | undefined;
  return {
    async run(request) {
      const refusal = running.count() < mostAtOnce ? undefined : tooMany;
      const place = running.enter(request.signal);
      try {
        loading ??= options.tools();
        const tool = await named(options, await loading, request.entry.name);
        if (tool.waits) place.waits();
        return await runCall(options, { ...request, tool, refusal, signal: place.signal });
      } catch (error) {
        const { diagnose, failureReply: render } = options;
        return failureReply(defect(error, diagnose), { render, given: request.arguments });
      } finally {
        place.leave();
      }
    },
    cancelWaits: running.cancelWaits,
    cancelAll: running.cancelAll,
    idle: running.idle,
  };
}

// A client that sends calls without waiting for answers must not fill the memory.
const mostAtOnce = 256;
const tooMany: Refusal = {
  allow: false,
  outcome: "rate-limited",
  code: "too-many-calls",
  reason: `${mostAtOnce} calls are running already`,
  next: "Wait for one of them and call again",
};

async function named<Context>(
  { addedTool }: CallsOptions<Context>,
  tools: readonly AnyTool<Context>[],
  name: string,
): Promise<AnyTool<Context>> {
  const tool = tools.find((candidate) => candidate.name === name) ?? (await addedTool?.(name));
  if (tool === undefined) throw new Error(`${name} is listed, but no such tool was loaded`);
  return tool;
}

function createRunning() {
  const all = new Set<AbortController>();
  const waiting = new Set<AbortController>();
  let waitsEnd = false;
  let allEnd = false;
  let idle: (() => void)[] = [];
  return {
    count: () => all.size,
    enter(cancelledByClient: AbortSignal) {
      const controller = new AbortController();
      const abort = () => controller.abort();
      if (cancelledByClient.aborted || allEnd) abort();
      cancelledByClient.addEventListener("abort", abort, { once: true });
      all.add(controller);
      return {
        signal: controller.signal,
        waits(): void {
          waiting.add(controller);
          if (waitsEnd) abort();
        },
        leave(): void {
          cancelledByClient.removeEventListener("abort", abort);
          all.delete(controller);
          waiting.delete(controller);
          if (all.size > 0) return;
          for (const resolve of idle) resolve();
          idle = [];
        },
      };
    },
    cancelWaits(): void {
      waitsEnd = true;
      for (const controller of waiting) controller.abort();
    },
    cancelAll(): void {
      allEnd = true;
      for (const controller of all) controller.abort();
    },
    async idle(): Promise<void> {
      if (all.size > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },
  };
}
