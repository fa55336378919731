import { expect } from "vitest";
import type { TestClient, ToolReply } from "../shared/test-client.ts";

export interface Refusal {
  readonly code: string | undefined;
  readonly text: string | undefined;
}

/** Calls a tool that must say no; what it says, and the code for programs. */
export async function refusal(client: TestClient, tool: string, args: object = {}): Promise<Refusal> {
  const reply: ToolReply & { readonly _meta?: Record<string, { readonly code: string }> } =
    await client.callRaw(tool, args);
  expect(reply.isError, JSON.stringify(reply)).toBe(true);
  expect(reply.structuredContent).toBeUndefined();
  return { code: reply._meta?.["isx/error"]?.code, text: reply.content[0]?.text };
}
