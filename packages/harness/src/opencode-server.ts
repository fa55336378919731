import { insertMember, isAlone, removeMember, replaceValue } from "./json-edits.ts";
import { type JsonNode, memberOf, parseJsonText, typedMember } from "./json-text.ts";
import { type AgentPlace, type ManagedFile, replaceAll } from "./managed-file.ts";
import { foreignServer, isOwnServer, serverArgv, serverName, toolTimeoutSeconds } from "./own-server.ts";

/** The MCP server in opencode's opencode.json or opencode.jsonc. What a person added to the entry stays. */
export function opencodeServer(path: string, place: Pick<AgentPlace, "program">): ManagedFile {
  const argv = serverArgv(place);
  const entry = opencodeEntry(argv);
  return {
    path,
    what: "MCP server",
    part: "server",
    add: (text) => {
      const root = parseJsonText(text, path);
      if (!root) {
        const whole = { $schema: "https://opencode.ai/config.json", mcp: { [serverName]: entry } };
        return replaceAll(text, `${JSON.stringify(whole, null, 2)}\n`);
      }
      const servers = typedMember(root, "mcp", { type: "object", path });
      if (!servers) return insertMember(text, root, { key: "mcp", value: { [serverName]: entry } });
      const there = memberOf(servers, serverName, path);
      if (!there) return insertMember(text, servers, { key: serverName, value: entry });
      const own = ownCommand(there, path);
      if (!own) throw foreignServer(path);
      return JSON.stringify(own.argv) === JSON.stringify(argv) ? [] : replaceValue(own.node, argv);
    },
    remove: (text) => {
      const there = ownEntry(text, path);
      const property = there?.node.parent;
      if (!property?.parent) return [];
      const section = isAlone(text, property) ? property.parent.parent : undefined;
      const removed = section ?? property;
      return removed.parent ? removeMember(text, removed.parent, removed) : [];
    },
    entries: (text) => {
      const own = ownEntry(text, path);
      return own ? [own.argv] : [];
    },
  };
}

/** The entry as opencode wants it; its time limit is in milliseconds. */
export function opencodeEntry(argv: readonly string[]) {
  return { type: "local", command: argv, enabled: true, timeout: toolTimeoutSeconds * 1000 };
}

function ownEntry(text: string, path: string) {
  const root = parseJsonText(text, path);
  const servers = root && typedMember(root, "mcp", { type: "object", path });
  const node = servers && memberOf(servers, serverName, path);
  const own = node && ownCommand(node, path);
  return node && own ? { node, argv: own.argv } : undefined;
}

function ownCommand(entry: JsonNode, path: string) {
  const node = entry.type === "object" ? memberOf(entry, "command", path) : undefined;
  const argv: readonly unknown[] = (node?.children ?? []).map((word) => word.value);
  return node?.type === "array" && isOwnServer(argv) ? { node, argv } : undefined;
}
