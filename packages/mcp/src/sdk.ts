import { nearest, shownText } from "@agent-control/base";
import {
  type CallToolResult,
  isJSONRPCRequest,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Calls } from "./calls.ts";
import type { ServerFacts } from "./front.ts";
import { isRequest, type Message, type Request } from "./message.ts";
import type { SendProgress } from "./progress.ts";
import type { ToolReply } from "./reply.ts";

export interface SdkOptions {
  readonly facts: ServerFacts;
  readonly calls: Calls;
  send(message: Message): Promise<void>;
  diagnose(line: string): void;
}

/** The protocol as the official SDK speaks it, fed message by message. */
export interface Sdk {
  receive(message: Message): void;
  /** Ends open subscriptions. */
  close(): Promise<void>;
}

/** Serves the tools of one connection, whichever protocol revision the client opens with. */
export function createSdk({ facts, calls, send, diagnose }: SdkOptions): Sdk {
  const transport: Transport = {
    start: async () => {},
    send: (message) => send(message as Message),
    close: async () => transport.onclose?.(),
  };
  const handle = serveStdio(() => createServer(facts, calls), {
    transport,
    onerror: (error) => diagnose(`A message was not served: ${shownText(error.message)}`),
  });
  return {
    receive(message) {
      if (isJSONRPCRequest(message) || !isRequest(message)) transport.onmessage?.(message as never);
      else void send(malformed(message));
    },
    close: handle.close,
  };
}

// The SDK would drop it in silence and leave the client waiting.
function malformed({ id }: Request): Message {
  const error = {
    code: ProtocolErrorCode.InvalidRequest,
    message: "Invalid request: see its params and _meta",
  };
  return { jsonrpc: "2.0", id, error };
}

function createServer(facts: ServerFacts, calls: Calls): Server {
  const { name, version, instructions, catalogue } = facts;
  const server = new Server(
    { name, version },
    { instructions, capabilities: { tools: { listChanged: false } }, jsonSchemaValidator: noElicitation },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [...catalogue] }) as unknown as ListToolsResult);
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const reply = await calls.run({
      tool: params.name,
      arguments: params.arguments,
      signal: context.mcpReq.signal,
      sendProgress: progressTo(context),
    });
    if (reply === undefined) throw unknownTool(params.name, facts);
    return asResult(reply);
  });
  return server;
}

// The SDK validates only answers to elicitation with it, and this kit never elicits: a real one costs 9 ms.
const noElicitation = {
  getValidator(): never {
    throw new Error("This server does not elicit input");
  },
};

function progressTo({ mcpReq }: ServerContext): SendProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) => {
    // A connection that is gone ends the call by itself.
    mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress, message } })
      .catch(() => {});
  };
}

function unknownTool(name: string, { catalogue }: ServerFacts): ProtocolError {
  const near = nearest(
    name,
    catalogue.map((entry) => entry.name),
  );
  const hint = near === undefined ? "tools/list names the tools there are." : `Did you mean "${near}"?`;
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool "${shownText(name).slice(0, 80)}". ${hint}`,
  );
}

function asResult({ content, structuredContent, isError }: ToolReply): CallToolResult {
  return {
    content: [...content],
    ...(structuredContent === undefined ? {} : { structuredContent: { ...structuredContent } }),
    ...(isError ? { isError } : {}),
  };
}
