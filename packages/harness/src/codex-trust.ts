import { parse } from "smol-toml";

/**
 * The events whose hooks in `hooksPath` a person has trusted, from Codex's config.toml: it keeps a hash for each under
 * `hooks.state."<path>:<event>:<group>:<hook>"`. Undefined when the text is not TOML. Whether the hash is today's
 * cannot be told from outside.
 */
export function trustedCodexEvents(configText: string, hooksPath: string): ReadonlySet<string> | undefined {
  const state = hookState(configText);
  if (state === undefined) return undefined;
  const keys = Object.entries(state).flatMap(([key, value]) =>
    key.startsWith(`${hooksPath}:`) && hasHash(value) ? [key.slice(hooksPath.length + 1)] : [],
  );
  return new Set(keys.map((key) => codexEventKey(key.split(":", 1)[0] ?? "")));
}

/** The event's name in a form in which "PreToolUse" and "pre_tool_use" are the same. */
export function codexEventKey(event: string): string {
  return event.replace(/[^A-Za-z]/g, "").toLowerCase();
}

function hookState(text: string): object | undefined {
  try {
    const hooks = parse(text, { integersAsBigInt: true })["hooks"];
    const state = typeof hooks === "object" && "state" in hooks ? hooks["state"] : undefined;
    return typeof state === "object" ? state : {};
  } catch {
    return undefined;
  }
}

function hasHash(value: unknown): boolean {
  return typeof value === "object" && value !== null && "trusted_hash" in value;
}
