import { plainText } from "@agent-control/base";
import type { ActivityStatus, HookReading } from "./harness.ts";

/** The fields of a hook payload that status records need; every one bounded and plain. */
export interface HookPayload {
  readonly sessionId: string;
  readonly cwd: string;
  readonly tool: string;
  /** Any other text field; "" when it is missing or no text. */
  text(key: string): string;
}

/** How one event reads; undefined: it says nothing about status. */
export type EventRule = (payload: HookPayload) => EventMeaning | undefined;

export interface EventMeaning {
  readonly status: ActivityStatus;
  readonly detail?: string;
  readonly turnStarted?: boolean;
}

const textLimit = 200;
const pathLimit = 4_096;

/** Reads an event by its rule. Undefined for an unknown event and for a payload without a session id. */
export function readByRules(
  rules: ReadonlyMap<string, EventRule>,
  event: string,
  payload: unknown,
): HookReading | undefined {
  const fields = hookPayload(payload);
  const meaning = fields && rules.get(event)?.(fields);
  if (!fields || !meaning) return undefined;
  return {
    status: meaning.status,
    detail: meaning.detail ?? "",
    tool: fields.tool,
    sessionId: fields.sessionId,
    cwd: fields.cwd,
    turnStarted: meaning.turnStarted ?? false,
  };
}

/** Whether the event is a subagent's: Claude Code and Codex report those under the session that started it. */
export function isSubagent(payload: HookPayload): boolean {
  return payload.text("agent_id") !== "";
}

function hookPayload(payload: unknown): HookPayload | undefined {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return undefined;
  const fields = new Map<string, unknown>(Object.entries(payload));
  const read = (key: string, limit: number) => plainField(fields.get(key), limit);
  const sessionId = read("session_id", textLimit);
  if (sessionId === "") return undefined;
  return {
    sessionId,
    cwd: read("cwd", pathLimit),
    tool: read("tool_name", textLimit),
    text: (key) => read(key, textLimit),
  };
}

function plainField(value: unknown, limit: number): string {
  return typeof value === "string" ? plainText(value.slice(0, limit)).replace(/\s+/g, " ").trim() : "";
}
