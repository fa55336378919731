import type { AuditFields } from "@agent-control/audit";
import type { Decision, Failure } from "@agent-control/base";
import type * as z from "zod";

export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What the kit hands to a running tool. */
export interface Call {
  /** Fires on `notifications/cancelled`, end of input and signals. */
  readonly signal: AbortSignal;
  /** The client's own name, e.g. "claude-code"; anybody may say anything. */
  readonly client: string | undefined;
  /** Adds fields to this call's audit line; later ones win. */
  note(fields: AuditFields): void;
  /** A progress notification, when the client sent a token; at most one a second leaves. */
  progress(message: string): void;
}

/** One question of policy, asked before the handler: one sentence when it says no. */
export type Gate<Context, Input> = (
  context: Context,
  input: Input,
  call: Call,
) => Promise<Decision> | Decision;

/**
 * A tool as data. `Context` is made afresh for each call by the program (policy read again, caller looked up) and
 * is what gates and handler share.
 */
export interface Tool<Context, Input = unknown, Output extends object = object> {
  /** `[a-z0-9_]{1,40}` */
  readonly name: string;
  readonly title: string;
  /** First sentence: when to use it. States units, defaults and ranges. */
  readonly description: string;
  readonly annotations: Annotations;
  /** A strict object. Never advertised from here: the catalogue made at build time is. */
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** The audit line's `action`; "" = this tool is not audited. */
  readonly action: string;
  /** True: a pending audit record is written before the handler runs, and a log that cannot be written stops the call. */
  readonly acting: boolean;
  /** True: it stops, cancels or destroys, so it goes on, with a warning, when the audit log cannot be written. */
  readonly stops?: boolean;
  /** True: it is cancelled, and answered so, when the connection ends; false: it may finish within two seconds. */
  readonly waits: boolean;
  /** True: it has something to undo, so that a cancelled call is over only when its handler is. */
  readonly undoes?: boolean;
  /** How its failures look, where they differ from the server's. */
  readonly failureReply?: FailureReply;
  readonly gates: readonly Gate<Context, Input>[];
  run(context: Context, input: Input, call: Call): Promise<Output>;
}

/** Any tool of a program: what the kit lists and runs. */
export interface AnyTool<Context> extends Omit<Tool<Context, never>, "input"> {
  readonly input: z.ZodType<unknown>;
}

/**
 * How a program's failures look in a reply, always with `isError`: one line of text, with facts for programs in
 * `_meta` if need be, or an object that is sent as structuredContent and as JSON text. `given` are the call's
 * arguments, unchecked.
 */
export type FailureReply = (
  failure: Failure,
  given: unknown,
) =>
  | { readonly text: string; readonly meta?: Readonly<Record<string, unknown>> }
  | { readonly structured: Readonly<Record<string, unknown>> };
