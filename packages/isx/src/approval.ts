import { shownText } from "@agent-control/base";
import type { BuiltTemplate, HoldingLimits, Template, TemplateSet } from "@agent-control/instances";
import type { IsxConfig, McpSettings } from "@agent-control/policy";

/** The templates that agents may branch, in the order of mcp.yaml. Names without a definition are left out. */
export function approvedTemplates(settings: McpSettings, trusted: TemplateSet): Template[] {
  return settings.templates.flatMap((name) => trusted.templates.get(name) ?? []);
}

/** What mcp.yaml allows a session's instances now. */
export function limitsOf(settings: McpSettings): HoldingLimits {
  return {
    maxInstances: settings.maxInstances,
    isApproved: (template) => settings.templates.includes(template),
  };
}

/** The agents in a template that can take a whole task; none in a template without a network. */
export function delegatesOf({ agents, merged }: Template): string[] {
  if (merged.network === "airgap") return [];
  return agents.filter(({ delegate }) => delegate).map(({ name }) => name);
}

/** What an agent should tell the person about mcp.yaml, one sentence each. */
export function approvalNotes(
  settings: McpSettings,
  trusted: TemplateSet,
  built: ReadonlyMap<string, BuiltTemplate>,
): string[] {
  const { templates } = settings;
  if (templates.length === 0) return [nothingApproved];
  const unknown = templates.filter((name) => !trusted.templates.has(name));
  const unbuilt = templates.filter((name) => trusted.templates.has(name) && !built.has(name));
  return [
    ...unknown.map((name) => `mcp.yaml approves ${shownText(name)}, but no template has that name.`),
    ...unbuilt.map((name) => `${name} is not built: ask the person to run isx build ${name}.`),
    ...(unknown.length > 0 ? trusted.problems : []),
  ];
}

/** What can be deleted from the settings because it has no effect. */
export function settingsNotes({ obsolete }: McpSettings, { hasMcpSection }: IsxConfig): string[] {
  const keys =
    obsolete.length === 0 ? [] : [`mcp.yaml has keys without effect: ${obsolete.join(", ")}; delete them.`];
  return hasMcpSection ? [...keys, "config.yaml has an mcp: section, which has no effect; delete it."] : keys;
}

const nothingApproved =
  "No template is approved: only the person can approve some, with isx mcp setup. Ask them if you need one.";
