import type { AgentPlace, ManagedFile } from "./managed-file.ts";
import { reporterSource } from "./reporter-source.ts";
import { sourceFile } from "./source-file.ts";

/** The extension that reports Pi's status; only the end of a session is waited for, at most 1.5 s. */
export function piExtension(path: string, { program }: Pick<AgentPlace, "program">): ManagedFile {
  return sourceFile(path, {
    what: "status extension",
    body: `import { randomUUID } from "node:crypto";\n${reporterSource(program, "pi")}${handlers}`,
    program,
  });
}

const handlers = `
const ownId = randomUUID();

function sessionOf(context) {
  try {
    return context?.sessionManager?.getSessionId?.() ?? ownId;
  } catch {
    return ownId;
  }
}

function told(event, context, fields) {
  try {
    return report(event, { session_id: String(sessionOf(context)), cwd: context?.cwd ?? process.cwd(), ...fields });
  } catch {
    return Promise.resolve();
  }
}

function stopReason(messages) {
  return String(Array.isArray(messages) ? (messages.at(-1)?.stopReason ?? "") : "");
}

export default function tongsAgents(pi) {
  pi.on("session_start", (_event, context) => void told("session_start", context));
  pi.on("agent_start", (_event, context) => void told("agent_start", context));
  pi.on("message_start", (event, context) => {
    if (event?.message?.role === "user") void told("message_start", context, { role: "user" });
  });
  for (const name of ["tool_execution_start", "tool_execution_end"]) {
    pi.on(name, (event, context) => void told(name, context, { tool_name: String(event?.toolName ?? "") }));
  }
  pi.on("agent_end", (event, context) => void told("agent_end", context, { stop_reason: stopReason(event?.messages) }));
  pi.on("session_shutdown", async (_event, context) => {
    const tooLate = new Promise((resolve) => setTimeout(resolve, 1500).unref());
    await Promise.race([told("session_shutdown", context), tooLate]);
  });
}
`;
