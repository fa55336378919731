import type { AuditFields } from "@agent-control/audit";
import {
  asFailure,
  type Clock,
  cancelled,
  Failure,
  plainText,
  requireAllowed,
  throwIfCancelled,
} from "@agent-control/base";
import { parseArguments } from "./arguments.ts";
import { type AuditOptions, type EndedCall, openCallAudit } from "./call-audit.ts";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import { createProgress, type SendProgress } from "./progress.ts";
import { failureReply, successReply, type ToolReply } from "./reply.ts";
import type { AnyTool, Call, FailureReply } from "./tool.ts";

export interface RunOptions<Context> {
  /** Makes what one call's gates and handler share: policy read again, caller looked up. */
  openContext(call: Call, tool: AnyTool<Context>): Promise<Context> | Context;
  readonly failureReply: FailureReply;
  readonly audit?: AuditOptions;
  readonly clock: Clock;
  /** Takes one line for the person: stderr. */
  diagnose(line: string): void;
}

export interface KnownCall<Context> {
  readonly tool: AnyTool<Context>;
  readonly entry: CatalogueEntry;
  readonly arguments: unknown;
  readonly signal: AbortSignal;
  readonly sendProgress: SendProgress | undefined;
}

/**
 * One tool call from its arguments to its reply, audited: arguments, context, gates, pending record, handler,
 * output, audit line. Throws nothing that a tool or a program threw.
 */
export async function runCall<Context>(
  options: RunOptions<Context>,
  { tool, entry, ...request }: KnownCall<Context>,
): Promise<ToolReply> {
  const progress = createProgress(options.clock, request.sendProgress);
  const record = startRecord(options.clock, tool);
  const call: Call = { signal: request.signal, note: record.note, progress: progress.report };
  const audit = openCallAudit(tool, options.audit, options.diagnose);
  const result = await settle(call.signal, options.diagnose, async () => {
    const input = parseArguments(tool, entry.inputSchema, request.arguments);
    return await act({ options, tool, call, input, begin: () => audit.begin(record.soFar()) });
  });
  progress.end();
  const mark = await audit.end(record.ended("failure" in result ? result.failure : undefined));
  if ("failure" in result) return failureReply(result.failure, options.failureReply, mark);
  return successReply(result.output, mark);
}

/** The Failure that an agent sees when a tool broke: always the same, whatever the error says. */
export function defect(error: unknown, diagnose: (line: string) => void): Failure {
  diagnose(plainText(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return new Failure("error", {
    code: "defect",
    message: "This tool failed because of a defect in its server",
    next: "Do not repeat the call unchanged; the person can read the details in the server's error output",
    cause: error,
  });
}

interface Act<Context> {
  readonly options: RunOptions<Context>;
  readonly tool: AnyTool<Context>;
  readonly call: Call;
  readonly input: unknown;
  begin(): Promise<void>;
}

async function act<Context>({ options, tool, call, input, begin }: Act<Context>): Promise<object> {
  // `input` is what the tool's own schema made; the tools of a list have no common input type.
  const own = input as never;
  const context = await options.openContext(call, tool);
  for (const gate of tool.gates) requireAllowed(await gate(context, own, call));
  throwIfCancelled(call.signal);
  if (tool.acting) await begin();
  return tool.output.parse(await tool.run(context, own, call));
}

type Settled = { readonly output: object } | { readonly failure: Failure };

async function settle(
  signal: AbortSignal,
  diagnose: (line: string) => void,
  body: () => Promise<object>,
): Promise<Settled> {
  try {
    return { output: await body() };
  } catch (error) {
    const failure = asFailure(error) ?? (signal.aborted ? cancelled(error) : defect(error, diagnose));
    return { failure };
  }
}

function startRecord<Context>(clock: Clock, tool: AnyTool<Context>) {
  const arrived = clock.monotonic();
  const ts = new Date(clock.now()).toISOString();
  let fields: AuditFields = {};
  const ended = (failure: Failure | undefined): EndedCall => ({
    ts,
    tool: tool.name,
    action: tool.action,
    fields,
    outcome: failure?.outcome ?? "ok",
    exitCode: failure?.exitCode ?? 0,
    ms: Math.round(clock.monotonic() - arrived),
  });
  return {
    note(more: AuditFields): void {
      fields = { ...fields, ...more };
    },
    ended,
    /** As it would stand in the log if the process died now. */
    soFar: (): EndedCall => ({ ...ended(undefined), outcome: "error", exitCode: 1 }),
  };
}
