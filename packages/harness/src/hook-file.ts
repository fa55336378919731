import type { Harness } from "./harness.ts";
import { type HookGroup, hookSettings } from "./hook-settings.ts";
import { insertMember, isAlone, removeMember, replaceValue } from "./json-edits.ts";
import { type JsonNode, memberOf, parseJsonText, typedMember } from "./json-text.ts";
import { type AgentPlace, type ManagedFile, replaceAll } from "./managed-file.ts";
import { shellQuote } from "./shell-quote.ts";
import { shellWords } from "./shell-words.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";

/** The file in which Claude Code (settings.json) or Codex (hooks.json) finds its hooks; every other key is left alone. */
export function hookFile(
  harness: Harness,
  path: string,
  { program }: Pick<AgentPlace, "program">,
): ManagedFile {
  const { hooks } = hookSettings(harness, (event) =>
    [...program, "hook", event, "--agent", harness.id].map(shellQuote).join(" "),
  );
  const ownIn = (text: string) => ownHooks(parseJsonText(text, path), harness.id, path);
  return {
    path,
    what: "status hooks",
    part: "status",
    add: (text) => {
      if (text.trim() === "") return replaceAll(text, `${JSON.stringify({ hooks }, null, 2)}\n`);
      return repeated(text, (now) => {
        const own = ownIn(now);
        const retired = own.find(({ event }) => !Object.hasOwn(hooks, event));
        if (retired) return removeHook(now, retired);
        for (const [event, [group]] of Object.entries(hooks)) {
          const edits = group ? upToDate(now, { path, event, group, own }) : [];
          if (edits.length > 0) return edits;
        }
        return [];
      });
    },
    remove: (text) =>
      repeated(text, (now) => {
        const [own] = ownIn(now);
        return own ? removeHook(now, own) : [];
      }),
    entries: (text) => ownIn(text).map(({ argv }) => argv),
  };
}

interface OwnHook {
  readonly event: string;
  readonly argv: readonly string[];
  readonly command: JsonNode;
  /** The hook and what would be empty without it, from the inside out: its group, its event, the section. */
  readonly chain: readonly JsonNode[];
}

/** The hooks that this program wrote: every word quoted, ending in its verb, that event and that agent. */
function ownHooks(root: JsonNode | undefined, agent: string, path: string): OwnHook[] {
  const section = root && typedMember(root, "hooks", { type: "object", path });
  return (section?.children ?? []).flatMap((property) => {
    const event = String(property.children?.[0]?.value);
    const groups = section && memberOf(section, event, path);
    return objectsIn(groups).flatMap((group) =>
      objectsIn(memberOf(group, "hooks", path)).flatMap((hook) => {
        const command = memberOf(hook, "command", path);
        const argv = ownCommand(command?.value, event, agent);
        return argv && command ? [{ event, argv, command, chain: [hook, group, property] }] : [];
      }),
    );
  });
}

function objectsIn(array: JsonNode | undefined): readonly JsonNode[] {
  return array?.type === "array" ? (array.children ?? []).filter(({ type }) => type === "object") : [];
}

function ownCommand(command: unknown, event: string, agent: string): string[] | undefined {
  const argv = typeof command === "string" ? shellWords(command) : undefined;
  const isOwn = argv !== undefined && argv.length > 4 && argv[0]?.startsWith("/");
  return isOwn && argv.slice(-4).join("\0") === ["hook", event, "--agent", agent].join("\0")
    ? argv
    : undefined;
}

interface WantedHook {
  readonly path: string;
  readonly event: string;
  readonly group: HookGroup;
  readonly own: readonly OwnHook[];
}

function upToDate(text: string, wanted: WantedHook): TextEdit[] {
  const { command } = wanted.group.hooks[0];
  const there = wanted.own.find(({ event }) => event === wanted.event);
  if (!there) return insertGroup(text, wanted);
  return there.command.value === command ? [] : replaceValue(there.command, command);
}

function insertGroup(text: string, { path, event, group }: WantedHook): TextEdit[] {
  const root = parseJsonText(text, path);
  if (!root) throw new Error("unreachable: the text has an object");
  const section = typedMember(root, "hooks", { type: "object", path });
  if (!section) return insertMember(text, root, { key: "hooks", value: { [event]: [group] } });
  const groups = typedMember(section, event, { type: "array", path });
  return groups
    ? insertMember(text, groups, { value: group })
    : insertMember(text, section, { key: event, value: [group] });
}

/** Removes the hook, together with the group, the event and the section that nothing else is in. */
function removeHook(text: string, { chain }: OwnHook): TextEdit[] {
  const [hook, ...around] = chain;
  if (!hook) throw new Error("unreachable: the chain begins with the hook");
  const member = around.reduce((inner, outer) => (isAlone(text, inner) ? outer : inner), hook);
  const section = member.type === "property" && isAlone(text, member) ? member.parent?.parent : undefined;
  const removed = section ?? member;
  const container = removed.parent;
  if (!container) throw new Error("unreachable: every member is in something");
  return removeMember(text, container, removed);
}

/** Takes one step after another until there is nothing left to do. */
function repeated(text: string, step: (now: string) => readonly TextEdit[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let now = text;
  for (let more = step(now); more.length > 0; more = step(now)) {
    edits.push(...more);
    now = applyEdits(now, more).text;
  }
  return edits;
}
