import { Failure, plainText, shownText } from "@agent-control/base";
import { parseSession } from "./session.ts";
import type { Stamp } from "./stamp.ts";

/** Why an instance may not be used, each in its own sentence with what to do instead; all are `refused`. */
export function unknownInstance(name: string): Failure {
  return refused("instance-unknown", name, {
    message: `There is no instance ${shownText(name)}`,
    next: "Look at list_instances, or make one with create_instance",
  });
}

export function foreignInstance(name: string): Failure {
  return refused("instance-foreign", name, {
    message: `Instance ${shownText(name)} was not made by an agent of this user, so agents may not touch it`,
    next: "Look at list_instances, or make one with create_instance",
  });
}

export function keptInstance(name: string): Failure {
  return refused("instance-kept", name, {
    message: `Instance ${shownText(name)} was given to the person with keep_instance`,
    next: "Leave it to the person, or make another one with create_instance",
  });
}

export function heldInstance(name: string, stamp: Stamp): Failure {
  return refused("instance-held", name, {
    message: `Instance ${shownText(name)} is held by another session, ${holderName(stamp)}`,
    next: "Use an instance of your own; only if the person wants it, take this one over with adopt_instance and force",
  });
}

export function coordinatedInstance(name: string, stamp: Stamp): Failure {
  return refused("instance-coordinated", name, {
    message: `Instance ${shownText(name)} is held by ${holderName(stamp)}, which still exists`,
    next: "Use an instance of your own; a coordinator's instances can be adopted only once it is gone",
  });
}

export function orphanedInstance(name: string): Failure {
  return refused("instance-orphaned", name, {
    message: `Instance ${shownText(name)} is an orphan: the session that held it has ended`,
    next: "Take it over with adopt_instance first",
  });
}

export function unfinishedInstance(name: string): Failure {
  return refused("instance-creating", name, {
    message: `Instance ${shownText(name)} is still being created`,
    next: "Wait until create_instance has answered",
  });
}

export function halfMadeInstance(name: string): Failure {
  return refused("instance-half-made", name, {
    message: `Instance ${shownText(name)} was left half-made by a session that died`,
    next: "Make another one with create_instance; this one is removed when isx mcp starts next",
  });
}

export function vanishingInstance(name: string): Failure {
  return refused("instance-destroying", name, {
    message: `Instance ${shownText(name)} is being destroyed`,
    next: "Call destroy_instance again if it stays; for new work make one with create_instance",
  });
}

export function runningTasks(name: string, tasks: readonly string[]): Failure {
  return refused("instance-busy", name, {
    message: `Work still runs in instance ${shownText(name)}, or its state is unknown: ${tasks.map(shownText).join(", ")}`,
    next: "Wait for it or cancel it, or call stop_instance with force, which ends it",
  });
}

export function unusualStatus(name: string, status: string): Failure {
  return refused("instance-status", name, {
    message: `Instance ${shownText(name)} is neither running nor stopped but ${shownText(status)}`,
    next: "Ask the person to look at it",
  });
}

export function notStopped(name: string): Failure {
  return refused("instance-not-stopped", name, {
    message: `Instance ${shownText(name)} is not stopped, and only a stopped instance can be forked`,
    next: "Stop it with stop_instance first",
  });
}

/** Who holds an instance, for a sentence: `process 4711 (claude-code)`. */
function holderName(stamp: Stamp): string {
  const session = parseSession(stamp.session ?? "");
  const client = plainText(stamp.client ?? "").slice(0, 80);
  const suffix = client === "" ? "" : ` (${client})`;
  if (session?.kind === "process") return `process ${session.pid}${suffix}`;
  if (session?.kind === "coordinator") return `the coordinator in ${session.instance}${suffix}`;
  return "one whose id cannot be read";
}

function refused(
  code: string,
  name: string,
  text: { readonly message: string; readonly next: string },
): Failure {
  return new Failure("refused", { code, ...text, details: { instance: name } });
}
