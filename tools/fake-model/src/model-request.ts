import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dialect } from "./dialect.ts";
import { parseDirectives } from "./directives.ts";
import type { Gates } from "./gates.ts";
import { sendJson } from "./http.ts";
import type { RequestLog } from "./request-log.ts";
import { type Plan, planTurn, sideAnswer, statusOf } from "./script.ts";
import { type Conversation, positionOf } from "./turns.ts";

/** What the requests of one server share. */
export interface Desk {
  readonly log: RequestLog;
  readonly gates: Gates;
  /** How many attempts of a model turn have failed so far, by turn. */
  readonly attempts: Map<string, number>;
}

export interface Exchange {
  readonly dialect: Dialect;
  readonly body: unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers one request for a model turn as its prompt's script says, and logs it. */
export async function answerModelRequest(desk: Desk, exchange: Exchange): Promise<void> {
  const { dialect, body, request, response } = exchange;
  const conversation = dialect.readConversation(body, request.headers);
  const decision = decide(desk, conversation);
  const n = desk.log.begin(logEntry(dialect, conversation, decision));
  const gone = new AbortController();
  response.once("close", () => {
    gone.abort();
    desk.log.end(n, response.writableFinished ? "sent" : "aborted");
  });
  try {
    await answer(desk, { ...exchange, conversation, decision, signal: gone.signal });
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

interface Decision {
  readonly status: number;
  readonly plan: Plan;
  readonly problem?: string;
}

function decide(desk: Desk, conversation: Conversation): Decision {
  if (isSide(conversation)) return { status: 200, plan: sideAnswer };
  try {
    const plan = planTurn(conversation);
    return { status: nextStatus(desk, conversation, plan), plan };
  } catch (error) {
    // A script that cannot be followed must be seen by whoever wrote it, so it is answered, not thrown.
    return { status: 400, plan: sideAnswer, problem: error instanceof Error ? error.message : String(error) };
  }
}

function isSide(conversation: Conversation): boolean {
  return conversation.tools.length === 0;
}

function nextStatus(desk: Desk, conversation: Conversation, plan: Plan): number {
  const { prompt, earlierPrompts, results } = positionOf(conversation.turns);
  const turn = JSON.stringify([conversation.session, earlierPrompts, results.length, prompt]);
  const attempt = desk.attempts.get(turn) ?? 0;
  desk.attempts.set(turn, attempt + 1);
  return statusOf(plan.failures, attempt);
}

function logEntry(dialect: Dialect, conversation: Conversation, decision: Decision) {
  const { system, tools, session, model } = conversation;
  const { prompt, results } = positionOf(conversation.turns);
  const { status, plan, problem } = decision;
  return {
    dialect: dialect.name,
    model,
    session,
    side: isSide(conversation),
    system: system.slice(0, 200),
    userText: prompt,
    toolNames: tools,
    toolResults: results,
    directives: problem === undefined ? parseDirectives(prompt).map(({ kind }) => kind) : [],
    answered: status === 200 ? plan.answer : undefined,
    status,
    ...(problem === undefined ? {} : { problem }),
  };
}

interface Answering extends Exchange {
  readonly conversation: Conversation;
  readonly decision: Decision;
  readonly signal: AbortSignal;
}

async function answer(desk: Desk, answering: Answering): Promise<void> {
  const { dialect, response, conversation, decision, signal } = answering;
  const { plan, status, problem } = decision;
  for (const name of plan.holds) await desk.gates.pass(name, signal);
  if (plan.waitMs > 0) await sleep(plan.waitMs, undefined, { signal });
  if (status !== 200) {
    sendJson(
      response,
      status,
      dialect.error(status, problem ?? "The script of the fake model asks for this error"),
    );
  } else if (conversation.stream) {
    await stream(answering);
  } else {
    sendJson(response, 200, dialect.message(plan.answer, conversation.model));
  }
}

async function stream({ dialect, response, conversation, decision, signal }: Answering): Promise<void> {
  const { answer: said, dripMs } = decision.plan;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of dialect.events(said, conversation.model)) {
    response.write(event);
    if (dripMs > 0) await sleep(dripMs, undefined, { signal });
  }
  response.end();
}
