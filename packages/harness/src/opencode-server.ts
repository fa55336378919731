import { isDeepStrictEqual } from "node:util";
import { getNodeValue } from "jsonc-parser";
import { insertMember, isAlone, removeMember, replaceValue } from "./json-edits.ts";
import { type JsonNode, memberOf, parseJsonText, typedMember } from "./json-text.ts";
import { type ManagedFile, replaceAll } from "./managed-file.ts";
import { foreignServer, givesWay, type ServerEntry, toolTimeoutSeconds } from "./own-server.ts";

/** The MCP server in opencode's opencode.json or opencode.jsonc. What a person added to the entry stays. */
export function opencodeServer(path: string, server: ServerEntry): ManagedFile {
  const { name, argv } = server;
  const entry = opencodeEntry(server);
  return {
    path,
    what: "MCP server",
    part: "server",
    add: (text) => {
      const root = parseJsonText(text, path);
      if (!root) {
        const whole = { $schema: "https://opencode.ai/config.json", mcp: { [name]: entry } };
        return replaceAll(text, `${JSON.stringify(whole, null, 2)}\n`);
      }
      const servers = typedMember(root, "mcp", { type: "object", path });
      if (!servers) return insertMember(text, root, { key: "mcp", value: { [name]: entry } });
      const there = memberOf(servers, name, path);
      if (!there) return insertMember(text, servers, { key: name, value: entry });
      if (server.replaces === "any") return isDeepEqual(there, entry) ? [] : replaceValue(there, entry);
      const own = ownCommand(there, { path, server });
      if (!own) throw foreignServer(path, server);
      return JSON.stringify(own.argv) === JSON.stringify(argv) ? [] : replaceValue(own.node, argv);
    },
    remove: (text) => {
      const there = ownEntry(text, { path, server });
      const property = there?.node.parent;
      if (!property?.parent) return [];
      const section = isAlone(text, property) ? property.parent.parent : undefined;
      const removed = section ?? property;
      return removed.parent ? removeMember(text, removed.parent, removed) : [];
    },
    entries: (text) => {
      const own = ownEntry(text, { path, server });
      return own ? [own.argv] : [];
    },
  };
}

/** The entry as opencode wants it; its time limit is in milliseconds. */
export function opencodeEntry({ argv, env }: ServerEntry) {
  const environment = Object.keys(env).length === 0 ? {} : { environment: env };
  return { type: "local", command: argv, ...environment, enabled: true, timeout: toolTimeoutSeconds * 1000 };
}

function isDeepEqual(node: JsonNode, value: unknown): boolean {
  const there: unknown = JSON.parse(JSON.stringify(getNodeValue(node)));
  return isDeepStrictEqual(there, value);
}

interface ServerPlace {
  readonly path: string;
  readonly server: ServerEntry;
}

function ownEntry(text: string, place: ServerPlace) {
  const { path, server } = place;
  const root = parseJsonText(text, path);
  const servers = root && typedMember(root, "mcp", { type: "object", path });
  const node = servers && memberOf(servers, server.name, path);
  const own = node && ownCommand(node, place);
  return node && own ? { node, argv: own.argv } : undefined;
}

function ownCommand(entry: JsonNode, { path, server }: ServerPlace) {
  const node = entry.type === "object" ? memberOf(entry, "command", path) : undefined;
  const argv: readonly unknown[] = (node?.children ?? []).map((word) => word.value);
  return node?.type === "array" && givesWay(server, argv) ? { node, argv: argv.map(String) } : undefined;
}
