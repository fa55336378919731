import { type Call, type Directive, type Fail, parseDirectives } from "./directives.ts";
import { fillReferences, fillText } from "./references.ts";
import { type Conversation, type Position, positionOf } from "./turns.ts";

/** What the model says and calls in one turn. */
export interface Answer {
  readonly text: string;
  readonly calls: readonly Call[];
}

/** How one request is to be answered. */
export interface Plan {
  readonly answer: Answer;
  /** Milliseconds before the answer. */
  readonly waitMs: number;
  /** Milliseconds between the streamed events of the answer. */
  readonly dripMs: number;
  /** Names that must be released before the answer. */
  readonly holds: readonly string[];
  /** The HTTP errors of the first attempts, in order. */
  readonly failures: readonly Fail[];
}

/**
 * The plan of the model turn that the conversation is at. Nothing is remembered between requests: each call
 * directive ends a turn, and the tool results since the prompt tell which turn is next. Throws an Error with one
 * sentence when the prompt's script cannot be read or refers to nothing.
 */
export function planTurn(conversation: Conversation): Plan {
  const position = positionOf(conversation.turns);
  const directives = currentTurn(parseDirectives(position.prompt), position.results.length);
  return {
    answer: answerOf(directives, position, conversation.tools),
    waitMs: sum(directives.map((each) => (each.kind === "wait" ? each.ms : 0))),
    dripMs: sum(directives.map((each) => (each.kind === "drip" ? each.ms : 0))),
    holds: directives.flatMap((each) => (each.kind === "hold" ? [each.name] : [])),
    failures: directives.filter((each) => each.kind === "fail"),
  };
}

/** The HTTP status of a turn's attempt, which counts from 0. */
export function statusOf(failures: readonly Fail[], attempt: number): number {
  const [first, ...others] = failures;
  if (first === undefined) return 200;
  return attempt < first.times ? first.status : statusOf(others, attempt - first.times);
}

/** The answer to a request that is no turn of the agent, e.g. for a title. */
export const sideAnswer: Plan = {
  answer: { text: "side answer", calls: [] },
  waitMs: 0,
  dripMs: 0,
  holds: [],
  failures: [],
};

/** The directives up to and with the next call, once the calls that `results` answers are behind. */
function currentTurn(directives: readonly Directive[], results: number): readonly Directive[] {
  const at = directives.findIndex((each) => each.kind === "calls");
  const call = directives[at];
  if (call?.kind !== "calls") return directives;
  if (results < call.calls.length) return directives.slice(0, at + 1);
  return currentTurn(directives.slice(at + 1), results - call.calls.length);
}

function answerOf(directives: readonly Directive[], position: Position, tools: readonly string[]): Answer {
  const said = directives.flatMap((each) => {
    if (each.kind === "say") return [fillText(each.text, position)];
    return each.kind === "last-result" ? [position.lastResult ?? "no tool result yet"] : [];
  });
  const calls = directives.flatMap((each) => (each.kind === "calls" ? each.calls : []));
  const text = said.length === 0 && calls.length === 0 ? "ok" : said.join("\n");
  return { text, calls: calls.map((call) => filledCall(call, position, tools)) };
}

function filledCall(call: Call, position: Position, tools: readonly string[]): Call {
  const input = Object.entries(call.input).map(([key, value]) => [key, fillReferences(value, position)]);
  return { tool: offeredName(call.tool, tools), input: Object.fromEntries(input) };
}

/**
 * The offered tool that a script means: its whole name, or the part behind the prefix that each agent puts before
 * the tools of an MCP server. A tool that is not offered is called all the same.
 */
function offeredName(written: string, tools: readonly string[]): string {
  if (tools.includes(written)) return written;
  const flat = written.replace("/", "__");
  const same = tools.filter((tool) => tool.replace("/", "__") === flat);
  const behindPrefix = tools.filter((tool) => tool.replace("/", "__").endsWith(`_${flat}`));
  const meant = same.length > 0 ? same : behindPrefix;
  return meant.length === 1 && meant[0] !== undefined ? meant[0] : written;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
