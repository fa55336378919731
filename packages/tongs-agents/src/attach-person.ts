import { asFailure, Failure, renderFailure } from "@agent-control/base";
import type { Attachment } from "@agent-control/multiplexer";
import type { CommandPorts } from "./command-ports.ts";
import type { WorkspaceSession } from "./workspace-session.ts";

interface Asking {
  readonly signal: AbortSignal;
  readonly warn: (sentence: string) => Promise<void>;
  /** False when it is only the default: where it is refused the person is told, and that is all. */
  readonly isAsked: boolean;
}

/** Shows the session on this process's terminal until the person leaves it. Throws `error` when that fails. */
export async function attachPerson(
  ports: CommandPorts,
  { multiplexer, session }: WorkspaceSession,
  { signal, warn, isAsked }: Asking,
): Promise<void> {
  let attachment: Attachment;
  try {
    attachment = multiplexer.attachment(session);
  } catch (error) {
    const failure = asFailure(error);
    if (isAsked || failure?.outcome !== "refused") throw error;
    return warn(renderFailure(failure));
  }
  const [file, ...args] = attachment.argv;
  const ended = await ports.machine.processes.runOnTerminal({ file, args, env: attachment.env, signal });
  if (ended.exitCode === 0) return;
  throw new Failure("error", {
    code: "attach-failed",
    message: `Session ${session.name} could not be shown on this terminal, or was cut off`,
    next: "What was started goes on; the lines above say why, and tongs-agents workspace shows it again",
  });
}
