import { type Failure, renderFailure } from "@agent-control/base";
import type { FailureReply } from "./tool.ts";

/** The result of a `tools/call` request. */
export interface ToolReply {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What a reply says of its call's audit line; undefined when it was written or none is due. */
export type AuditMark = typeof auditMark | undefined;

export const auditMark = { audit: "failed" } as const;

/** The same facts twice, because some clients show a model only one of them. */
export function successReply(output: object, mark: AuditMark): ToolReply {
  const structuredContent = { ...output, ...mark };
  return { content: text(JSON.stringify(structuredContent)), structuredContent };
}

export interface FailedCall {
  readonly render: FailureReply;
  /** The call's arguments as they came. */
  readonly given: unknown;
  readonly mark?: AuditMark;
}

export function failureReply(failure: Failure, { render, given, mark }: FailedCall): ToolReply {
  const rendered = render(failure, given);
  if ("structured" in rendered) return { ...successReply(rendered.structured, mark), isError: true };
  const suffix = mark === undefined ? "" : " Its audit line could not be written (audit: failed).";
  const { meta } = rendered;
  return { content: text(rendered.text + suffix), isError: true, ...(meta ? { _meta: meta } : {}) };
}

/** A failure as one line of text: what is wrong and what to do now. */
export const lineReply: FailureReply = (failure) => ({ text: renderFailure(failure) });

function text(value: string): ToolReply["content"] {
  return [{ type: "text", text: value }];
}
