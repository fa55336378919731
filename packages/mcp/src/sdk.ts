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
import type { Listing } from "./listing.ts";
import { isRequest, type Message, type Request } from "./message.ts";
import type { SendProgress } from "./progress.ts";
import { listedPrompts, type Prompt, promptMessage } from "./prompt.ts";
import type { ToolReply } from "./reply.ts";
import { capabilitiesOf, type ServerFacts } from "./server-facts.ts";

export interface SdkOptions {
  readonly facts: ServerFacts;
  readonly listing: Listing;
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
export function createSdk(options: SdkOptions): Sdk {
  const { send, diagnose } = options;
  const transport: Transport = {
    start: async () => {},
    send: (message) => send(message as Message),
    close: async () => transport.onclose?.(),
  };
  const handle = serveStdio(() => createServer(options), {
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

function createServer({ facts, listing, calls }: SdkOptions): Server {
  const { name, version, instructions, prompts } = facts;
  const server = new Server(
    { name, version },
    { instructions, capabilities: capabilitiesOf(facts), jsonSchemaValidator: noElicitation },
  );
  server.setRequestHandler(
    "tools/list",
    async () => ({ tools: await listing.list() }) as unknown as ListToolsResult,
  );
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tools = await listing.look();
    const entry = tools.find((one) => one.name === params.name);
    if (entry === undefined) throw unknown("tool", params.name, tools);
    const reply = await calls.run({
      entry,
      arguments: params.arguments,
      client: server.getClientVersion()?.name,
      signal: context.mcpReq.signal,
      sendProgress: progressTo(context),
    });
    // A connection that is gone needs no news.
    if (await listing.hasChanged()) server.sendToolListChanged().catch(() => {});
    return asResult(reply);
  });
  if (prompts !== undefined) servePrompts(server, prompts);
  return server;
}

function servePrompts(server: Server, prompts: readonly Prompt[]): void {
  server.setRequestHandler("prompts/list", () => ({ prompts: listedPrompts(prompts) }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (prompt === undefined) throw unknown("prompt", params.name, prompts);
    return promptMessage(prompt);
  });
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

function unknown(
  kind: "tool" | "prompt",
  name: string,
  known: readonly { readonly name: string }[],
): ProtocolError {
  const near = nearest(
    name,
    known.map((one) => one.name),
  );
  const hint = near === undefined ? `${kind}s/list names the ${kind}s there are.` : `Did you mean "${near}"?`;
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown ${kind} "${shownText(name).slice(0, 80)}". ${hint}`,
  );
}

function asResult({ content, structuredContent, isError, _meta }: ToolReply): CallToolResult {
  return {
    content: [...content],
    ...(structuredContent === undefined ? {} : { structuredContent: { ...structuredContent } }),
    ...(isError ? { isError } : {}),
    ...(_meta === undefined ? {} : { _meta: { ..._meta } }),
  };
}
