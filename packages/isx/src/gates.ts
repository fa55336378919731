import { allowed } from "@agent-control/base";
import type { Gate } from "@agent-control/mcp";
import type { IsxContext } from "./isx-tool.ts";

/** What a call may name that its audit line should have. */
interface Subjects {
  readonly instance?: string;
  readonly from_instance?: string;
  readonly template?: string;
  readonly task_id?: string;
  readonly command?: string;
}

/** First gate of every tool: whatever is refused later, the audit line says what the call was about. */
export const noteSubjects: Gate<IsxContext, object> = (_context, input, call) => {
  const { instance, from_instance, template, task_id, command }: Subjects = input;
  call.note({
    ...(instance === undefined ? {} : { instance: cut(instance) }),
    ...(from_instance === undefined ? {} : { from_instance: cut(from_instance) }),
    ...(template === undefined ? {} : { template: cut(template) }),
    ...(task_id === undefined ? {} : { task_id: cut(task_id) }),
    ...(command === undefined ? {} : { detail: command.slice(0, detailCharacters) }),
  });
  return allowed;
};

/** Throws while mcp.yaml cannot be used: for every tool but those with which a person can always have things stopped. */
export const usableSettings: Gate<IsxContext, unknown> = (context) => {
  context.settings();
  return allowed;
};

const nameCharacters = 100;
const detailCharacters = 500;

/** An agent may write anything where a name belongs. */
function cut(name: string): string {
  return name.slice(0, nameCharacters);
}
