import { fields, list, text } from "./json-value.ts";

/** One turn of a conversation, the same for every dialect. */
export interface Turn {
  /** `user`: a prompt. `assistant`: what the model said. `result`: what a tool answered. */
  readonly role: "user" | "assistant" | "result";
  readonly text: string;
}

/** What a request asks, the same for every dialect. */
export interface Conversation {
  readonly system: string;
  readonly turns: readonly Turn[];
  /** Names of the offered tools; a tool inside a namespace is `namespace/tool`. */
  readonly tools: readonly string[];
  /** Whatever the client sends that names its session. */
  readonly session: string | undefined;
  readonly model: string;
  readonly stream: boolean;
}

/** Where a conversation stands: its newest prompt and the tool results since. */
export interface Position {
  readonly prompt: string;
  /** How many prompts came before this one. */
  readonly earlierPrompts: number;
  /** Texts of the tool results after the prompt, oldest first. */
  readonly results: readonly string[];
  /** Text of the newest tool result, even when it is older than the prompt. */
  readonly lastResult: string | undefined;
}

/** Finds the newest prompt and counts what happened since. */
export function positionOf(turns: readonly Turn[]): Position {
  const at = turns.findLastIndex((turn) => turn.role === "user");
  const results = turns.slice(at + 1).filter((turn) => turn.role === "result");
  return {
    prompt: turns[at]?.text ?? "",
    earlierPrompts: turns.slice(0, Math.max(at, 0)).filter((turn) => turn.role === "user").length,
    results: results.map((turn) => turn.text),
    lastResult: turns.findLast((turn) => turn.role === "result")?.text,
  };
}

/** A turn of the role, or none when the text is blank once the notes that clients add by themselves are gone. */
export function turn(role: Turn["role"], written: string): Turn[] {
  const own = written.replace(clientNotes, "").trim();
  return own === "" && role !== "result" ? [] : [{ role, text: own }];
}

// Claude Code wraps what it adds to prompts and results in the first, Codex in the other two.
const clientNotes = /<(system-reminder|environment_context|user_instructions)>[\s\S]*?<\/\1>/g;

/** Text of a content value: a string, or an array of blocks that have a `text`. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return contentTexts(content).join("\n");
}

/** The texts of a content value one by one: clients put several prompts into one message as separate blocks. */
export function contentTexts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return list(content)
    .map((block) => text(fields(block).text))
    .filter((each) => each !== "");
}
