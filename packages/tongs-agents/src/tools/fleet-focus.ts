import type { StatusRecord } from "@agent-control/activity";
import { Failure } from "@agent-control/base";
import { focusLaunch } from "@agent-control/fleet";
import * as z from "zod";
import { fleetTool } from "../fleet-tool.ts";
import { findSession } from "../fleet-view.ts";

const input = z.strictObject({
  query: z.string().describe("A repository name, an id or the start of one, or a pid."),
});
const output = z.strictObject({ id: z.string(), focused: z.boolean() });

export const fleetFocus = fleetTool({
  name: "fleet_focus",
  title: "Bring an agent's pane to the front",
  description:
    "Use this when your person asks to see an agent: brings its pane to the front for the terminals that look at its session. Types nothing. Works for agents that tongs-agents launched.",
  readOnly: false,
  input,
  output,
  async run({ ports }, { query }) {
    const record = findFocused(await ports.activity.list(), query);
    if (record.launchId === undefined) throw notLaunched(record);
    await focusLaunch(ports, record.launchId);
    return { id: record.id, focused: true };
  },
});

/** Repository or pid first, since neither looks like an id. */
function findFocused(records: readonly StatusRecord[], query: string): StatusRecord {
  const live = records.filter(({ status }) => status !== "ended");
  const named = live.filter(({ repo, process }) => repo === query || String(process?.pid) === query);
  const [only, another] = named;
  if (only && !another) return only;
  if (!only) return findSession(live, query);
  throw new Failure("error", {
    code: "session-ambiguous",
    message: `${named.length} sessions match: ${named
      .slice(0, 10)
      .map(({ id }) => id)
      .join(", ")}`,
    next: "Give an id",
  });
}

function notLaunched(record: StatusRecord): Failure {
  return new Failure("unsupported", {
    code: "not-launched",
    message: `Session ${record.id} was not launched by tongs-agents, so its pane is not known`,
    next: "Find its terminal by hand",
  });
}
