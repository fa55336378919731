import { isObject } from "./json-value.ts";

export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One instruction to the fake model, as written in a prompt. */
export type Directive =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "last-result" }
  | { readonly kind: "calls"; readonly calls: readonly Call[] }
  | { readonly kind: "wait" | "drip"; readonly ms: number }
  | { readonly kind: "hold"; readonly name: string }
  | { readonly kind: "fail"; readonly status: number; readonly times: number };

/** `times` is infinite when the directive names no number. */
export type Fail = Extract<Directive, { kind: "fail" }>;

/** A directive and the position right behind it. */
interface Scanned<T> {
  readonly value: T;
  readonly end: number;
}

/**
 * The directives of a prompt in order; other text is skipped. Throws an Error with one sentence when something
 * that starts like a directive (`[[word`) cannot be read.
 */
export function parseDirectives(prompt: string): Directive[] {
  const directives: Directive[] = [];
  let at = prompt.indexOf("[[");
  while (at >= 0) {
    const scanned = scanDirective(prompt, at);
    if (scanned) directives.push(scanned.value);
    at = prompt.indexOf("[[", scanned?.end ?? at + 2);
  }
  return directives;
}

/** The end of the `[[…]]` that opens at `start`, pairs inside counted; undefined when it is never closed. */
export function endOfBrackets(text: string, start: number): number | undefined {
  let depth = 0;
  for (const match of text.slice(start).matchAll(/\[\[|\]\]/g)) {
    depth += match[0] === "[[" ? 1 : -1;
    if (depth > 0) continue;
    // Of a longer run the last two close: `[[say list [1]]]`.
    const run = /^\]*/.exec(text.slice(start + match.index))?.[0].length ?? 2;
    return start + match.index + run;
  }
  return undefined;
}

function scanDirective(prompt: string, start: number): Scanned<Directive> | undefined {
  const word = matchAt(/[a-z][a-z-]*(?=\s|\]\])/y, prompt, start + 2);
  if (word === undefined) return undefined;
  const after = start + 2 + word.length;
  if (word === "call" || word === "calls") return scanCalls(prompt, after, word);
  const end = endOfBrackets(prompt, start);
  if (end === undefined) throw new Error(`The directive [[${word} is not closed. Add ]].`);
  return { value: plainDirective(word, prompt.slice(after, end - 2).trim()), end };
}

function plainDirective(word: string, argument: string): Directive {
  switch (word) {
    case "say":
      return { kind: "say", text: argument };
    case "last-result":
      return { kind: "last-result" };
    case "wait":
    case "drip":
      return { kind: word, ms: wholeNumber(argument, word) };
    case "hold":
      if (/^[\w.-]+$/.test(argument)) return { kind: "hold", name: argument };
      throw new Error("A [[hold name]] needs one word as its name.");
    case "fail": {
      const [status = "", times] = argument.split(/\s+/);
      return {
        kind: "fail",
        status: wholeNumber(status, word),
        times: times === undefined ? Number.POSITIVE_INFINITY : wholeNumber(times, word),
      };
    }
    default:
      throw new Error(`There is no directive [[${word}]]. ${knownDirectives}`);
  }
}

const knownDirectives = "Use say, call, calls, last-result, wait, drip, hold or fail.";

function wholeNumber(written: string, word: string): number {
  if (/^\d{1,9}$/.test(written)) return Number(written);
  throw new Error(`The directive [[${word}]] needs whole numbers, not "${written}".`);
}

function scanCalls(prompt: string, start: number, word: "call" | "calls"): Scanned<Directive> {
  const calls: Call[] = [];
  let at = start;
  for (;;) {
    const call = scanCall(prompt, at);
    calls.push(call.value);
    at = skipSpace(prompt, call.end);
    if (prompt.startsWith("]]", at)) return { value: { kind: "calls", calls }, end: at + 2 };
    if (word === "call" || prompt[at] !== "|") {
      throw new Error(`[[${word} ${call.value.tool} …]] has more behind its input. Close it with ]].`);
    }
    at += 1;
  }
}

function scanCall(prompt: string, start: number): Scanned<Call> {
  const nameAt = skipSpace(prompt, start);
  const tool = matchAt(/[^\s{}[\]|]+/y, prompt, nameAt);
  if (tool === undefined) throw new Error("A [[call …]] names no tool. Write [[call tool_name {json}]].");
  const inputAt = skipSpace(prompt, nameAt + tool.length);
  if (prompt[inputAt] !== "{") return { value: { tool, input: {} }, end: inputAt };
  const end = endOfObject(prompt, inputAt);
  return { value: { tool, input: parseInput(prompt.slice(inputAt, end), tool) }, end };
}

/** Where the JSON object that opens at `start` ends; the end of the text when it never does. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (const match of text.slice(start).matchAll(/"(?:[^"\\]|\\[\s\S])*"|[{}]/g)) {
    if (match[0] === "{") depth += 1;
    if (match[0] === "}") depth -= 1;
    if (depth === 0) return start + match.index + 1;
  }
  return text.length;
}

function parseInput(json: string, tool: string): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(json);
    if (isObject(input)) return input;
    throw new Error("it is not an object");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The input of [[call ${tool} …]] is not a JSON object: ${reason}.`);
  }
}

function skipSpace(text: string, start: number): number {
  return start + (matchAt(/\s+/y, text, start)?.length ?? 0);
}

function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
}
