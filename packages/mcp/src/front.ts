import type { CatalogueEntry } from "./catalogue-entry.ts";
import { isRequest, type Message, type Request } from "./message.ts";
import { isOrdinaryEnvelope, isOrdinaryHandshake, isPlain, modernVersion, reserved } from "./ordinary.ts";

/** What a server says of itself; fixed at build time. */
export interface ServerFacts {
  readonly name: string;
  readonly version: string;
  /** For the model: when to use these tools; at most 4096 characters. */
  readonly instructions: string;
  readonly catalogue: readonly CatalogueEntry[];
}

/**
 * Answers an ordinary opening and `tools/list` from data, with the same bytes as the SDK, so that a client that
 * only lists tools never pays for loading it. Whatever is not quite ordinary is left to the SDK.
 */
export interface Front {
  /** The answer; "silent" when none is due; undefined when the SDK must take over, from here on. */
  answer(message: Message): Message | "silent" | undefined;
  /** The messages that the SDK must be fed first, to stand where this front stands. */
  opening(): readonly Message[];
}

export function createFront(facts: ServerFacts): Front {
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
      if (step.to !== era) open(step.to, message);
      return { result: step.result(facts, message), jsonrpc: "2.0", id: message.id };
    },
  };
}

/** How far the connection is: opened by `initialize` (2024-11-05 … 2025-11-25), or by discovery and listing (2026-07-28). */
type Era = "unopened" | "handshake" | "discovered" | "listed";

interface Step {
  readonly method: string;
  readonly from: readonly Era[];
  readonly to: Era;
  ordinary(params: Readonly<Record<string, unknown>>): boolean;
  result(facts: ServerFacts, request: Request): object;
}

const steps: readonly Step[] = [
  {
    method: "initialize",
    from: ["unopened", "discovered"],
    to: "handshake",
    ordinary: isOrdinaryHandshake,
    result: (facts, { params }) => ({
      protocolVersion: params?.["protocolVersion"],
      capabilities,
      serverInfo: serverInfo(facts),
      ...instructions(facts),
    }),
  },
  {
    method: "tools/list",
    from: ["handshake"],
    to: "handshake",
    ordinary: isPlain,
    result: ({ catalogue }) => ({ tools: catalogue }),
  },
  { method: "ping", from: ["handshake"], to: "handshake", ordinary: isPlain, result: () => ({}) },
  {
    method: "server/discover",
    from: ["unopened", "discovered"],
    to: "discovered",
    ordinary: isOrdinaryEnvelope,
    result: (facts) => ({
      supportedVersions: [modernVersion],
      capabilities,
      ...instructions(facts),
      ...modernTrailer(facts),
    }),
  },
  {
    method: "tools/list",
    from: ["unopened", "discovered", "listed"],
    to: "listed",
    ordinary: isOrdinaryEnvelope,
    result: (facts) => ({ tools: facts.catalogue, ...modernTrailer(facts) }),
  },
];

const capabilities = { tools: { listChanged: false } };

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
