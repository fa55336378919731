import { type CallToolResult, Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { ToolReply } from "./test-client.ts";

export interface Progress {
  readonly progress: number;
  readonly message?: string | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (step: Progress) => void;
}

/** An official SDK client that has connected and listed. It throws when a structured result does not fit its schema. */
export interface SdkClient {
  /** The protocol revision that both agreed on. */
  readonly revision: string | undefined;
  readonly tools: readonly { readonly name: string; readonly outputSchema?: unknown }[];
  call(tool: string, args: Record<string, unknown>, options?: CallOptions): Promise<ToolReply>;
  close(): Promise<void>;
}

export interface ServerCommand {
  readonly argv: readonly [string, ...string[]];
  readonly env: Record<string, string>;
}

/** Every official client with every revision that it can speak. */
export const sdkClients: readonly (readonly [string, (command: ServerCommand) => Promise<SdkClient>])[] = [
  ...["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"].flatMap((revision) => [
    [`SDK 1 in ${revision}`, (command: ServerCommand) => connectFirst(command, revision)] as const,
    [`SDK 2 in ${revision}`, (command: ServerCommand) => connectHandshake(command, revision)] as const,
  ]),
  ["SDK 2 in 2026-07-28", (command) => connectModern(command, { pin: "2026-07-28" })],
  ["SDK 2 choosing the revision", (command) => connectModern(command, "auto")],
];

const clientInfo = { name: "e2e", version: "1" };

/** SDK 1 always proposes its newest revision, so an older one is put into its opening. */
async function connectFirst(command: ServerCommand, revision: string): Promise<SdkClient> {
  const transport = new StdioClientTransport(parameters(command));
  const send = transport.send.bind(transport);
  transport.send = (message) => send(proposing(message, revision));
  let agreed: string | undefined;
  transport.setProtocolVersion = (version) => {
    agreed = version;
  };
  const client = new Client(clientInfo);
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    revision: agreed,
    tools,
    call: async (name, args, options) =>
      (await client.callTool({ name, arguments: args }, undefined, options)) as unknown as ToolReply,
    close: () => client.close(),
  };
}

function proposing(message: JSONRPCMessage, protocolVersion: string): JSONRPCMessage {
  if (!("method" in message) || message.method !== "initialize") return message;
  return { ...message, params: { ...message.params, protocolVersion } };
}

async function connectHandshake(command: ServerCommand, revision: string): Promise<SdkClient> {
  const client = new ModernClient(clientInfo, { supportedProtocolVersions: [revision] });
  return opened(client, command);
}

async function connectModern(command: ServerCommand, mode: "auto" | { pin: string }): Promise<SdkClient> {
  return opened(new ModernClient(clientInfo, { versionNegotiation: { mode } }), command);
}

async function opened(client: ModernClient, command: ServerCommand): Promise<SdkClient> {
  await client.connect(new ModernTransport(parameters(command)));
  const { tools } = await client.listTools();
  return {
    revision: client.getNegotiatedProtocolVersion(),
    tools,
    async call(name, args, options) {
      const reply = await client.callTool({ name, arguments: args }, options);
      if (reply.isError) requireFit(tools.find((tool) => tool.name === name)?.outputSchema, reply);
      return reply as unknown as ToolReply;
    },
    close: () => client.close(),
  };
}

/** SDK 2 leaves failures unchecked by itself; its validator says whether they fit. */
function requireFit(schema: object | undefined, { structuredContent }: CallToolResult): void {
  if (schema === undefined || structuredContent === undefined) return;
  const fit = new AjvJsonSchemaValidator().getValidator(schema)(structuredContent);
  if (!fit.valid) throw new Error(`the failure does not fit its schema: ${fit.errorMessage}`);
}

function parameters({ argv: [command, ...args], env }: ServerCommand) {
  return { command, args, env, stderr: "ignore" as const };
}
