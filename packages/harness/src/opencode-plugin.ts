import type { AgentPlace, ManagedFile } from "./managed-file.ts";
import { reporterSource } from "./reporter-source.ts";
import { sourceFile } from "./source-file.ts";

/**
 * The plugin that reports opencode's status; events of a subagent's session count for none but its dialogs. What
 * opencode reports after an error, twice that the session is idle, would hide the error and is left out.
 */
export function opencodePlugin(path: string, { program }: Pick<AgentPlace, "program">): ManagedFile {
  return sourceFile(path, {
    what: "status plugin",
    body: `${reporterSource(program, "opencode")}${handlers}`,
    program,
  });
}

const handlers = `
const parents = new Map();
const failed = new Set();

function told(event, session, directory, fields) {
  const parent = parents.get(session);
  if (typeof session !== "string" || (parent && !/^(permission|question)\\./.test(event))) return;
  report(event, { session_id: parent ?? session, cwd: directory ?? "", ...fields });
}

function onEvent({ type, properties = {} }, directory) {
  const { info, sessionID, status, error } = properties;
  switch (type) {
    case "session.created":
      if (info?.parentID) parents.set(info.id, parents.get(info.parentID) ?? info.parentID);
      return told(type, info?.id ?? sessionID, directory);
    case "session.deleted":
      told(type, info?.id ?? sessionID, directory);
      return void parents.delete(info?.id);
    case "session.status":
      return told(type, sessionID, directory, { status_type: status?.type ?? "" });
    case "session.error":
      failed.add(sessionID);
      return told(type, sessionID, directory, { error: String(error?.name ?? "") });
    case "session.idle":
      return failed.has(sessionID) ? undefined : told(type, sessionID, directory);
    case "permission.asked":
    case "permission.replied":
    case "question.asked":
    case "question.replied":
    case "question.rejected":
      return told(type, sessionID, directory);
  }
}

export const TongsAgents = async ({ directory } = {}) => ({
  event: async ({ event } = {}) => {
    try {
      onEvent(event ?? {}, directory);
    } catch {}
  },
  "chat.message": async (input) => {
    failed.delete(input?.sessionID);
    told("chat.message", input?.sessionID, directory);
  },
  "tool.execute.before": async (input) =>
    told("tool.execute.before", input?.sessionID, directory, { tool_name: input?.tool ?? "" }),
  "tool.execute.after": async (input) =>
    told("tool.execute.after", input?.sessionID, directory, { tool_name: input?.tool ?? "" }),
});
`;
