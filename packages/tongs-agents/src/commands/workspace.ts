import { Failure } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import { attachPerson } from "../attach-person.ts";
import type { CommandPorts } from "../command-ports.ts";
import { startWorkspace, type Workspace } from "../start-workspace.ts";

export const workspace = defineCommand({
  description:
    "Joins the session of [workspace] in config.toml, or makes it with a home pane, and starts each profile of panes that is not running there yet; running it again adds nothing. Then shows the session on this terminal. For people: an agent starts others with agents_spawn.",
  arguments: [],
  flags: [
    { name: "attach", type: "boolean", summary: "Show the session; the default on a terminal" },
    { name: "detach", type: "boolean", summary: "Only start it" },
  ],
  example: "tongs-agents workspace",
  run: async ({ flags, stdin, terminal, signal, progress, warn }, ports: CommandPorts) => {
    const isTerminal = stdin.isTerminal && terminal.stdoutIsTerminal;
    requireSense(flags, isTerminal);
    const started = await ports.audited(
      { action: "workspace", acting: true, fields: { target: null } },
      () => {
        requirePerson(ports);
        return progress("starting the workspace", (say) => startWorkspace(ports, { signal, say, warn }));
      },
    );
    if (flags.attach || (isTerminal && !flags.detach)) {
      await attachPerson(ports, started, { signal, warn, isAsked: flags.attach });
    }
    return { json: shown(started), human: sentences(started) };
  },
});

function requireSense(
  flags: { readonly attach: boolean; readonly detach: boolean },
  isTerminal: boolean,
): void {
  if (flags.attach && flags.detach) {
    throw new Failure("usage", {
      code: "attach-and-detach",
      message: "--attach and --detach exclude each other",
      next: "Keep one of them",
    });
  }
  if (flags.attach && !isTerminal) {
    throw new Failure("usage", {
      code: "no-terminal",
      message: "--attach needs a terminal on standard input and output",
      next: "Run it on a terminal, or use --detach",
    });
  }
}

/** The panes of a workspace belong to nobody, so an agent that started them would get round its limits. */
function requirePerson({ above }: CommandPorts): void {
  if (!above) return;
  throw new Failure("refused", {
    code: "workspace-below-launch",
    message: `The workspace is its person's to start, and this runs below launch ${above.id}`,
    next: "Start one agent with the tool agents_spawn, or with tongs-agents launch",
  });
}

function shown({ multiplexer, session, isNew, panes }: Workspace) {
  return {
    ok: true,
    multiplexer: multiplexer.name,
    session: session.name,
    socket: session.socket,
    created: isNew,
    panes: panes.map(({ profile, launchId, state }) => ({ profile, launch_id: launchId, state })),
  };
}

function sentences({ session, isNew, panes }: Workspace): string[] {
  return [
    `Session ${session.name} ${isNew ? "was made" : "was there"}`,
    ...panes.map(({ profile, launchId, state }) => `${launchId} ${state}: ${profile}`),
  ];
}
