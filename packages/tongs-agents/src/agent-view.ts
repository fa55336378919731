import { shownText } from "@agent-control/base";
import type { Cell, Table, Tone } from "@agent-control/cli";
import type { Agent, AgentState } from "@agent-control/fleet";

const looks: Readonly<Record<AgentState, { readonly glyph: string; readonly tone?: Tone }>> = {
  working: { glyph: "●", tone: "good" },
  waiting: { glyph: "◆", tone: "warn" },
  done: { glyph: "✓", tone: "quiet" },
  error: { glyph: "✗", tone: "bad" },
  starting: { glyph: "…" },
  pending: { glyph: "…" },
  running: { glyph: "○" },
  exited: { glyph: "–", tone: "quiet" },
  replaced: { glyph: "–", tone: "quiet" },
};

/** One row for each agent. */
export function agentTable(
  agents: readonly Agent[],
  options: { readonly nowMs: number; readonly glyphs: boolean },
): Table {
  return {
    columns: [
      { heading: "LAUNCH", keep: true },
      { heading: "PROFILE" },
      { heading: "STATE" },
      { heading: "FOR", align: "right" },
      { heading: "DETAIL" },
      { heading: "HARNESS" },
      { heading: "PANE" },
      { heading: "STARTED BY" },
    ],
    rows: agents.map(({ launch, state, detail, since }) => [
      launch.id,
      launch.profile,
      stateCell(state, options.glyphs),
      since === 0 ? "-" : elapsed(options.nowMs - since),
      detail,
      launch.harness,
      `${shownText(launch.session.name)} ${launch.paneId ?? "-"}`,
      launch.spawnedBy ?? "person",
    ]),
    whenEmpty: "No agent runs",
  };
}

/** An agent as JSON shows it. */
export function shownAgent({ launch, state, detail, since }: Agent) {
  return {
    launch_id: launch.id,
    profile: launch.profile,
    harness: launch.harness,
    state,
    detail,
    since: since === 0 ? null : new Date(since).toISOString(),
    multiplexer: launch.multiplexer,
    session: launch.session.name,
    pane: launch.paneId ?? null,
    spawned_by: launch.spawnedBy ?? null,
    created_at: launch.createdAt,
  };
}

function stateCell(state: AgentState, glyphs: boolean): Cell {
  const { glyph, tone } = looks[state];
  const text = glyphs ? `${glyph} ${state}` : state;
  return tone ? { text, tone } : text;
}

/** In the largest unit that is full. A clock that was set back shows 0 s. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
