import type { CatalogueEntry } from "./catalogue-entry.ts";
import type { SendProgress } from "./progress.ts";
import { failureReply, type ToolReply } from "./reply.ts";
import { defect, type RunOptions, runCall } from "./run-call.ts";
import type { AnyTool } from "./tool.ts";

export interface CallsOptions<Context> extends RunOptions<Context> {
  /** The tools that are listed, in order; any other name is unknown. */
  readonly catalogue: readonly CatalogueEntry[];
  /** Loads the tools at the first call. */
  tools(): Promise<readonly AnyTool<Context>[]>;
}

export interface CallRequest {
  readonly tool: string;
  readonly arguments: unknown;
  /** Fires when the client cancels the call. */
  readonly signal: AbortSignal;
  readonly sendProgress: SendProgress | undefined;
}

/** The calls of one connection. */
export interface Calls {
  /** Runs one call; undefined when no such tool is listed. Never rejects. */
  run(request: CallRequest): Promise<ToolReply | undefined>;
  /** Cancels the calls of waiting tools, now and from now on. */
  cancelWaits(): void;
  /** Cancels every call. */
  cancelAll(): void;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
}

export function createCalls<Context>(options: CallsOptions<Context>): Calls {
  const running = createRunning();
  let loading: Promise<readonly AnyTool<Context>[]> | undefined;
  return {
    async run(request) {
      const entry = options.catalogue.find(({ name }) => name === request.tool);
      if (entry === undefined) return undefined;
      const place = running.enter(request.signal);
      try {
        loading ??= options.tools();
        const tool = named(await loading, entry.name);
        if (tool.waits) place.waits();
        return await runCall(options, { ...request, tool, entry, signal: place.signal });
      } catch (error) {
        return failureReply(defect(error, options.diagnose), options.failureReply, undefined);
      } finally {
        place.leave();
      }
    },
    cancelWaits: running.cancelWaits,
    cancelAll: running.cancelAll,
    idle: running.idle,
  };
}

function named<Context>(tools: readonly AnyTool<Context>[], name: string): AnyTool<Context> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`The catalogue lists ${name}, but no such tool was loaded`);
  return tool;
}

function createRunning() {
  const all = new Set<AbortController>();
  const waiting = new Set<AbortController>();
  let waitsEnd = false;
  let idle: (() => void)[] = [];
  return {
    enter(cancelledByClient: AbortSignal) {
      const controller = new AbortController();
      const abort = () => controller.abort();
      if (cancelledByClient.aborted) abort();
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
      for (const controller of all) controller.abort();
    },
    async idle(): Promise<void> {
      if (all.size > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },
  };
}
