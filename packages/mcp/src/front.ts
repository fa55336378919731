import type { Listing } from "./listing.ts";
import { isRequest, type Message, type Request } from "./message.ts";
import { isOrdinaryEnvelope, isOrdinaryHandshake, isPlain, modernVersion, reserved } from "./ordinary.ts";
import { listedPrompts } from "./prompt.ts";
import { capabilitiesOf, type ServerFacts } from "./server-facts.ts";

/**
 * Answers an ordinary opening and lists from data, with the same bytes as the SDK, so that a client that
 * only lists tools never pays for loading it. Whatever is not quite ordinary is left to the SDK.
 */
export interface Front {
  /** The answer; "silent" when none is due; undefined when the SDK must take over, from here on. */
  answer(message: Message): Message | Promise<Message> | "silent" | undefined;
  /** The messages that the SDK must be fed first, to stand where this front stands. */
  opening(): readonly Message[];
}

export function createFront(facts: ServerFacts, listing: Listing): Front {
  let era: Era = "unopened";
  let seen: Message[] = [];
  const open = (next: Era, message: Message) => {
    seen = next === "listed" && era === "discovered" ? [...seen, message] : [message];
    era = next;
  };
  return {
    opening: () => seen,
    answer(message) {
      if (era === "handshake" && message.method === "notifications/initialized" && seen.length === 1)
        seen.push(message);
      if (era === "handshake" && isIdleNotification(message)) return "silent";
      if (!isRequest(message)) return undefined;
      const step = steps.find(({ method, from }) => method === message.method && from.includes(era));
      if (step === undefined || !step.ordinary(message.params ?? {})) return undefined;
      const result = step.result({ ...facts, listing }, message);
      if (result === undefined) return undefined;
      if (step.to !== era) open(step.to, message);
      return result instanceof Promise
        ? result.then((value) => answerTo(message, value))
        : answerTo(message, result);
    },
  };
}

function answerTo({ id }: Request, result: object): Message {
  return { result, jsonrpc: "2.0", id };
}

/** How far the connection is: opened by `initialize` (2024-11-05 … 2025-11-25), or by discovery and listing (2026-07-28). */
type Era = "unopened" | "handshake" | "discovered" | "listed";

interface Step {
  readonly method: string;
  readonly from: readonly Era[];
  readonly to: Era;
  ordinary(params: Readonly<Record<string, unknown>>): boolean;
  /** Undefined when this server does not have what is asked for. */
  result(facts: ListingFacts, request: Request): object | Promise<object> | undefined;
}

interface ListingFacts extends ServerFacts {
  readonly listing: Listing;
}

const steps: readonly Step[] = [
  {
    method: "initialize",
    from: ["unopened", "discovered"],
    to: "handshake",
    ordinary: isOrdinaryHandshake,
    result: (facts, { params }) => ({
      protocolVersion: params?.["protocolVersion"],
      capabilities: capabilitiesOf(facts),
      serverInfo: serverInfo(facts),
      ...instructions(facts),
    }),
  },
  {
    method: "tools/list",
    from: ["handshake"],
    to: "handshake",
    ordinary: isPlain,
    result: ({ listing }) => toolsResult(listing, {}),
  },
  {
    method: "prompts/list",
    from: ["handshake"],
    to: "handshake",
    ordinary: isPlain,
    result: ({ prompts }) => prompts && { prompts: listedPrompts(prompts) },
  },
  { method: "ping", from: ["handshake"], to: "handshake", ordinary: isPlain, result: () => ({}) },
  {
    method: "server/discover",
    from: ["unopened", "discovered"],
    to: "discovered",
    ordinary: isOrdinaryEnvelope,
    result: (facts) => ({
      supportedVersions: [modernVersion],
      capabilities: capabilitiesOf(facts),
      ...instructions(facts),
      ...modernTrailer(facts),
    }),
  },
  {
    method: "tools/list",
    from: ["unopened", "discovered", "listed"],
    to: "listed",
    ordinary: isOrdinaryEnvelope,
    result: (facts) => toolsResult(facts.listing, modernTrailer(facts)),
  },
];

function toolsResult(listing: Listing, trailer: object): object | Promise<object> {
  const tools = listing.list();
  return tools instanceof Promise
    ? tools.then((listed) => ({ tools: listed, ...trailer }))
    : { tools, ...trailer };
}

function serverInfo({ name, version }: ServerFacts) {
  return { name, version };
}

function instructions(facts: ServerFacts) {
  return facts.instructions === "" ? {} : { instructions: facts.instructions };
}

function modernTrailer(facts: ServerFacts) {
  return {
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
    _meta: { [`${reserved}/serverInfo`]: serverInfo(facts) },
  };
}

function isIdleNotification({ id, method }: Message): boolean {
  return id === undefined && (method === "notifications/initialized" || method === "notifications/cancelled");
}
