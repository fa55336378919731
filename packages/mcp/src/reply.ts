import { type Failure, renderFailure } from "@agent-control/base";
import type { FailureReply } from "./tool.ts";

/** The result of a `tools/call` request. */
export interface ToolReply {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
}

/** What a reply says of its call's audit line; undefined when it was written or none is due. */
export type AuditMark = typeof auditMark | undefined;

export const auditMark = { audit: "failed" } as const;

/** The same facts twice, because some clients show a model only one of them. */
export function successReply(output: object, mark: AuditMark): ToolReply {
  const structuredContent = { ...output, ...mark };
  return { content: text(JSON.stringify(structuredContent)), structuredContent };
}

export function failureReply(failure: Failure, render: FailureReply, mark: AuditMark): ToolReply {
  const rendered = render(failure);
  if ("structured" in rendered) return { ...successReply(rendered.structured, mark), isError: true };
  const suffix = mark === undefined ? "" : " Its audit line could not be written (audit: failed).";
  return { content: text(rendered.text + suffix), isError: true };
}

/** A failure as one line of text: what is wrong and what to do now. */
export const lineReply: FailureReply = (failure) => ({ text: renderFailure(failure) });

function text(value: string): ToolReply["content"] {
  return [{ type: "text", text: value }];
}
