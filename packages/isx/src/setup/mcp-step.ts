import { asFailure, renderFailure } from "@agent-control/base";
import type { Interaction } from "@agent-control/cli";
import { harnesses } from "@agent-control/harness";
import type { Template } from "@agent-control/instances";
import type { McpSettings } from "@agent-control/policy";
import { settingsNotes } from "../approval.ts";
import type { CommandPorts } from "../command-ports.ts";
import { approve } from "./approve.ts";
import { ownServer } from "./own-server.ts";
import { askLetter, askYesOrNo } from "./questions.ts";
import { claudePath, register } from "./register.ts";

export type McpStepCall = Pick<Interaction, "ask" | "warn" | "signal" | "progress">;

/** What the step came to. */
export interface McpStep {
  /** Whether mcp.yaml was changed. */
  readonly changed: boolean;
  /** The templates that agents may use now. */
  readonly approved: readonly string[];
  /** Whether Claude Code has the server; undefined when that was not looked at. */
  readonly registered: boolean | undefined;
  /** For the person, a sentence each. */
  readonly lines: readonly string[];
}

/**
 * Asks a person at a terminal whether and how agents may use isx, and does it. No, or the end of input, writes nothing.
 * Throws, before anything is asked, why mcp.yaml cannot be used.
 */
export async function mcpStep(call: McpStepCall, ports: CommandPorts): Promise<McpStep> {
  const now = await ports.settings.read();
  const settings = now.settings();
  for (const note of settingsNotes(settings, now.config())) await call.warn(note);
  if (settings.templates.length > 0) return changeOrKeep(call, ports, settings);
  const wanted = await askYesOrNo(call.ask, "Let agents on this host use isx?", false);
  return wanted
    ? chooseTemplates(call, ports, settings)
    : kept(settings, "Agents cannot use isx; nothing was changed.");
}

async function changeOrKeep(call: McpStepCall, ports: CommandPorts, settings: McpSettings): Promise<McpStep> {
  const question = `Agents may use ${settings.templates.join(", ")}. t to change that, n to see how to turn it off, Enter to keep everything: `;
  const letter = await askLetter(call.ask, question, ["t", "n"]);
  if (letter === "t") return chooseTemplates(call, ports, settings);
  return letter === "n" ? kept(settings, ...turningOff(ports)) : kept(settings, "Everything was kept.");
}

function turningOff({ places }: CommandPorts): string[] {
  return [
    `To approve no template any more, write templates: [] in ${places.mcpFile}; the next call sees it.`,
    "To take the server out of Claude Code, run claude mcp remove --scope user isx.",
  ];
}

function kept({ templates }: McpSettings, ...lines: readonly string[]): McpStep {
  return { changed: false, approved: templates, registered: undefined, lines };
}

async function chooseTemplates(
  call: McpStepCall,
  ports: CommandPorts,
  settings: McpSettings,
): Promise<McpStep> {
  const { templates } = await (await ports.instances()).templates.trusted().then((set) => warned(call, set));
  const asked = [...templates.values()].filter(({ agents }) => agents.length > 0);
  if (asked.length === 0) {
    return kept(settings, "No template installs a coding agent, so there is none to approve.");
  }
  const chosen: string[] = [];
  for (const template of asked.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const question = `May agents use ${template.name} (${abilities(template)})?`;
    const answer = await askYesOrNo(call.ask, question, settings.templates.includes(template.name));
    if (answer === undefined) return kept(settings, "There was no answer; nothing was changed.");
    if (answer) chosen.push(template.name);
  }
  const byHand = settings.templates.filter((name) => !asked.some((template) => template.name === name));
  return carryOut(call, ports, [...byHand, ...chosen]);
}

async function warned<Set extends { readonly problems: readonly string[] }>(
  call: McpStepCall,
  set: Set,
): Promise<Set> {
  for (const problem of set.problems) await call.warn(problem);
  return set;
}

function abilities({ agents }: Template): string {
  const names = agents.map(({ name }) => name).join(", ");
  return agents.some(({ delegate }) => delegate) ? names : `${names}: create and exec only`;
}

async function carryOut(call: McpStepCall, ports: CommandPorts, names: readonly string[]): Promise<McpStep> {
  const changed = await approve(ports, names);
  if (names.length === 0) {
    return {
      changed,
      approved: [],
      registered: undefined,
      lines: ["No template is approved, so agents cannot use isx."],
    };
  }
  const approved = `Agents may use ${names.join(", ")} (${ports.places.mcpFile}).`;
  const { registered, line } = await withClaude(call, ports);
  return { changed, approved: names, registered, lines: [approved, line] };
}

// What was approved holds, whatever becomes of the registration.
async function withClaude(
  call: McpStepCall,
  ports: CommandPorts,
): Promise<{ registered: boolean; line: string }> {
  const { title } = harnesses.claude;
  if (claudePath(ports) === undefined) {
    const line = `${title} is not on PATH; isx mcp register and isx mcp config are for other agents.`;
    return { registered: false, line };
  }
  try {
    const { signal } = call;
    const server = await ownServer(ports, signal);
    const { path } = await call.progress(`registering with ${title}`, () =>
      register(ports, "claude", { server, signal }),
    );
    return { registered: true, line: `${title} has the server isx for all projects (${path}).` };
  } catch (error) {
    const failure = asFailure(error);
    if (!failure || failure.outcome === "cancelled") throw error;
    return { registered: false, line: `${title} was not told: ${renderFailure(failure)}` };
  }
}
