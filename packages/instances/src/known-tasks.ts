import { asFailure } from "@agent-control/base";
import type { HoldingPorts } from "./holding-ports.ts";

/** The tasks that an instance holds, asked of its guest and now this session's; a warning instead of a failure when it does not say. */
export async function knownTasks(
  ports: Pick<HoldingPorts, "tasks">,
  name: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly tasks: readonly string[]; readonly warning: string | undefined }> {
  try {
    return { tasks: await ports.tasks.adopt(name, signal), warning: undefined };
  } catch (error) {
    const failure = asFailure(error);
    if (failure === undefined || failure.outcome === "cancelled") throw error;
    return { tasks: [], warning: `Its tasks could not be read: ${failure.message}` };
  }
}
