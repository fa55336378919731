import {
  type Audit,
  type Audited,
  type AuditedCallOptions,
  type AuditFields,
  auditedCall,
} from "@agent-control/audit";
import {
  asFailure,
  type Clock,
  cancelled,
  Failure,
  orCancelled,
  plainText,
  type Refusal,
  requireAllowed,
  throwIfCancelled,
} from "@agent-control/base";
import { parseArguments } from "./arguments.ts";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import { createProgress, type SendProgress } from "./progress.ts";
import { auditMark, failureReply, successReply, type ToolReply } from "./reply.ts";
import type { AnyTool, Call, FailureReply } from "./tool.ts";

export interface RunOptions<Context> {
  /** Makes what one call's gates and handler share: policy read again, caller looked up. */
  openContext(call: Call, tool: AnyTool<Context>): Promise<Context> | Context;
  readonly failureReply: FailureReply;
  /** Where calls of tools with an `action` are recorded, and as whose: `mcp`, `mcp:<launch id>`. Needed by such tools only. */
  readonly audit?: {
    readonly log: Audit;
    readonly actor: string;
    /** Fields of every line, known before a call's arguments are read; what a call notes wins. */
    readonly fields?: AuditFields;
  };
  readonly clock: Clock;
  /** Takes one line for the person: standard error. */
  diagnose(line: string): void;
}

export interface KnownCall<Context> {
  readonly tool: AnyTool<Context>;
  readonly entry: CatalogueEntry;
  readonly arguments: unknown;
  readonly client: string | undefined;
  /** Why the call may not run, known before anything was asked. */
  readonly refusal: Refusal | undefined;
  readonly signal: AbortSignal;
  readonly sendProgress: SendProgress | undefined;
}

/**
 * One tool call from its arguments to its reply: arguments, context, gates, pending record, handler, output, audit
 * line. Refusals and bad arguments of audited tools get their line too. Never rejects.
 */
export async function runCall<Context>(
  options: RunOptions<Context>,
  known: KnownCall<Context>,
): Promise<ToolReply> {
  const { tool, signal } = known;
  const render = tool.failureReply ?? options.failureReply;
  const progress = createProgress(options.clock, known.sendProgress);
  const notes = createNotes(options.audit?.fields);
  const { client, arguments: given } = known;
  const call: Call = { signal, client, note: notes.add, progress: progress.report };
  const told = (error: unknown) => failureOf(error, signal, options.diagnose);
  try {
    // Questions and waits change nothing, so a cancelled one is over whatever it is stuck in.
    const ready = await orCancelled(signal, prepare(options, known, call)).catch(told);
    const leaves = tool.waits && !tool.undoes;
    const run = (act: () => Promise<object>) => (leaves ? orCancelled(signal, act()) : act());
    const act = () => (ready instanceof Failure ? ready : run(ready).catch(told));
    const { value, auditFailed } = await record(options, tool, notes, {
      acting: tool.acting && !(ready instanceof Failure),
      act,
    });
    const mark = auditFailed ? auditMark : undefined;
    return value instanceof Failure
      ? failureReply(value, { render, given, mark })
      : successReply(value, mark);
  } catch (error) {
    return failureReply(told(error), { render, given });
  } finally {
    progress.end();
  }
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

/** Asks everything that must be asked before the tool may act; what it returns runs the handler. */
async function prepare<Context>(
  options: RunOptions<Context>,
  { tool, entry, arguments: given, refusal }: KnownCall<Context>,
  call: Call,
): Promise<() => Promise<object>> {
  if (refusal !== undefined) requireAllowed(refusal);
  // The tool's own schema made it; the tools of a list have no common input type.
  const input = parseArguments(tool, entry.inputSchema, given) as never;
  const context = await options.openContext(call, tool);
  for (const gate of tool.gates) requireAllowed(await gate(context, input, call));
  throwIfCancelled(call.signal);
  return async () => tool.output.parse(await tool.run(context, input, call));
}

interface Deed {
  /** A pending record comes first. */
  readonly acting: boolean;
  act(): Promise<object | Failure> | object | Failure;
}

/** Runs the deed and writes the call's one line. */
async function record<Context>(
  { audit, clock, diagnose }: RunOptions<Context>,
  tool: AnyTool<Context>,
  notes: Notes,
  { acting, act }: Deed,
): Promise<Audited<object | Failure>> {
  if (tool.action === "") return { value: await act(), auditFailed: false };
  if (audit === undefined) throw new Error(`${tool.name} has an action, but its server keeps no audit log`);
  const options: AuditedCallOptions<object | Failure> = {
    clock,
    diagnose,
    actor: audit.actor,
    action: tool.action,
    fields: notes.all(),
    acting,
    evenUnaudited: tool.stops ?? false,
    outcomeOf: (value) => (value instanceof Failure ? value.outcome : "ok"),
  };
  return await auditedCall(audit.log, options, async (note) => {
    const value = await act();
    note(notes.all());
    return value;
  });
}

function failureOf(error: unknown, signal: AbortSignal, diagnose: (line: string) => void): Failure {
  return asFailure(error) ?? (signal.aborted ? cancelled(error) : defect(error, diagnose));
}

type Notes = ReturnType<typeof createNotes>;

function createNotes(first: AuditFields = {}) {
  let fields = first;
  return {
    add(more: AuditFields): void {
      fields = { ...fields, ...more };
    },
    all: () => fields,
  };
}
