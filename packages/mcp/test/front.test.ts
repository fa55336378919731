import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCalls } from "../src/calls.ts";
import { renderCatalogue } from "../src/catalogue.ts";
import { createFront } from "../src/front.ts";
import { createListing } from "../src/listing.ts";
import { isRequest, type Message } from "../src/message.ts";
import { lineReply } from "../src/reply.ts";
import { createSdk } from "../src/sdk.ts";
import type { ServerFacts } from "../src/server-facts.ts";
import { createSession } from "../src/session.ts";
import type { AnyTool } from "../src/tool.ts";
import { type FixtureContext, fixtureTools } from "./fixtures/fixture-tools.ts";
import { stderrAudit } from "./fixtures/stderr-audit.ts";
import { systemClock } from "./fixtures/system-clock.ts";

const plain: ServerFacts = {
  name: "fixture",
  version: "1.2.3",
  instructions: "Read me first.",
  catalogue: renderCatalogue(fixtureTools),
};
const [someTool] = plain.catalogue;
const rich: ServerFacts = {
  ...plain,
  addedTools: async () => (someTool === undefined ? [] : [{ ...someTool, name: "added-at-run-time" }]),
  prompts: [{ name: "coordinate", title: "Coordinate", description: "How to", text: "Do this,\nthen that." }],
};
const servers: readonly [string, ServerFacts][] = [
  ["of fixed tools", plain],
  ["with prompts and tools that come at run time", rich],
];

const calls = () =>
  createCalls({
    tools: async () => fixtureTools,
    addedTool: () => fixtureTools[0] as AnyTool<FixtureContext>,
    openContext: () => ({ allowed: true }),
    failureReply: lineReply,
    audit: { log: stderrAudit("works"), actor: "mcp" },
    clock: systemClock,
    diagnose: () => {},
  });

interface Speaker {
  receive(message: Message): void;
}

/** Every answer to a conversation, by request id, as the line that would be written. */
async function answers(
  conversation: readonly Message[],
  connect: (send: (m: Message) => Promise<void>) => Speaker,
) {
  const wanted = conversation.filter(isRequest).length;
  const lines = new Map<unknown, string>();
  await new Promise<void>((resolve) => {
    const speaker = connect(async (message) => {
      if (message.method !== undefined) return;
      lines.set(message.id, JSON.stringify(message));
      if (lines.size === wanted) resolve();
    });
    if (wanted === 0) resolve();
    for (const message of conversation) speaker.receive(message);
  });
  return lines;
}

const bySdk = (facts: ServerFacts, conversation: readonly Message[]) =>
  answers(conversation, (send) =>
    createSdk({ facts, listing: createListing(facts), calls: calls(), send, diagnose: () => {} }),
  );
const bySession = (facts: ServerFacts, conversation: readonly Message[]) =>
  answers(conversation, (send) => createSession({ facts, calls: calls(), send, diagnose: () => {} }));
const byFrontAlone = (facts: ServerFacts, conversation: readonly Message[]) =>
  answers(conversation, (send) => {
    const front = createFront(facts, createListing(facts));
    return {
      receive(message) {
        const answer = front.answer(message);
        if (answer === undefined) throw new Error(`left to the SDK: ${JSON.stringify(message)}`);
        if (answer !== "silent") void Promise.resolve(answer).then(send);
      },
    };
  });

type Part = Omit<Message, "jsonrpc" | "id">;

function conversationOf(parts: readonly Part[]): Message[] {
  return parts.map((part, index) => ({
    jsonrpc: "2.0",
    ...(part.method?.startsWith("notifications/") ? {} : { id: index }),
    ...part,
  }));
}

const clientInfo = { name: "test", title: "Test", version: "1", websiteUrl: "https://example.com" };
const envelope = (protocolVersion = "2026-07-28") => ({
  "io.modelcontextprotocol/protocolVersion": protocolVersion,
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: { form: {}, url: {} },
    roots: { listChanged: true },
  },
});
const modern = (method: string, more: object = {}): Part => ({
  method,
  params: { ...more, _meta: envelope() },
});
const initialize = (protocolVersion: string): Part => ({
  method: "initialize",
  params: { protocolVersion, capabilities: { roots: { listChanged: true }, sampling: {} }, clientInfo },
});
const initialized: Part = { method: "notifications/initialized" };
const list: Part = { method: "tools/list" };

describe.each(servers)("C-50 the front's bytes are the SDK's, of a server %s", (_title, facts) => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "for the handshake of %s",
    async (version) => {
      const conversation = conversationOf([
        initialize(version),
        initialized,
        list,
        { method: "ping" },
        { method: "tools/list", params: { _meta: { progressToken: 0 } } },
      ]);
      expect(await byFrontAlone(facts, conversation)).toEqual(await bySdk(facts, conversation));
    },
  );

  it("for prompts", async () => {
    const conversation = conversationOf([
      initialize("2025-11-25"),
      { method: "prompts/list", params: { _meta: { progressToken: 1 } } },
    ]);
    if (facts.prompts !== undefined)
      expect(await byFrontAlone(facts, conversation)).toEqual(await bySdk(facts, conversation));
  });

  it("for discovery and listing of 2026-07-28", async () => {
    const conversation = conversationOf([
      modern("server/discover"),
      modern("server/discover"),
      modern("tools/list"),
      modern("tools/list"),
    ]);
    expect(await byFrontAlone(facts, conversation)).toEqual(await bySdk(facts, conversation));
  });

  it("for a listing without discovery and a handshake after a probe", async () => {
    for (const parts of [
      [modern("tools/list")],
      [modern("server/discover"), initialize("2025-11-25"), list],
    ]) {
      const conversation = conversationOf(parts);
      expect(await byFrontAlone(facts, conversation)).toEqual(await bySdk(facts, conversation));
    }
  });
});

const parts: readonly Part[] = [
  initialize("2025-11-25"),
  initialize("2024-11-05"),
  initialize("1999-01-01"),
  { method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } },
  { method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: { roots: 5 }, clientInfo } },
  {
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x" } },
  },
  initialized,
  { method: "notifications/cancelled", params: { requestId: 99 } },
  list,
  { method: "tools/list", params: { cursor: "x" } },
  { method: "tools/list", params: { _meta: { progressToken: { a: 1 } } } },
  { method: "ping" },
  { method: "prompts/list" },
  { method: "prompts/get", params: { name: "coordinate" } },
  { method: "prompts/get", params: { name: "coordinator" } },
  modern("prompts/list"),
  { method: "tools/call", params: { name: "added-at-run-time", arguments: { a: 3 } } },
  { method: "tools/call", params: { name: "add_numbers", arguments: { a: 1 } } },
  { method: "tools/call", params: { name: "add_number" } },
  { method: "server/discover" },
  modern("server/discover"),
  modern("tools/list"),
  modern("tools/list", { cursor: "x" }),
  modern("ping"),
  modern("tools/call", { name: "add_numbers", arguments: { a: 2 } }),
  { method: "server/discover", params: { _meta: envelope("2027-01-01") } },
  { method: "tools/list", params: { _meta: { ...envelope(), "io.modelcontextprotocol/clientInfo": 5 } } },
];

it.each(servers)(
  "C-50 a conversation gets the same answers with and without the front, wherever the SDK takes over, from a server %s",
  async (_title, facts) => {
    const some = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(some, async (chosen) => {
        const conversation = conversationOf(chosen);
        expect(await bySession(facts, conversation)).toEqual(await bySdk(facts, conversation));
      }),
      { numRuns: 300 },
    );
  },
);
