import { shownText } from "@agent-control/base";
import type { Finding } from "@agent-control/cli";
import { lookThrough } from "@agent-control/harness/setup";
import { settingsNotes } from "../approval.ts";
import type { CommandPorts } from "../command-ports.ts";
import type { Check } from "./check.ts";

/** mcp.yaml: usable, nobody else's to write, and what it approves. */
export const settingsCheck: Check = {
  name: "mcp.yaml",
  look: async (ports) => {
    const now = await ports.settings.read();
    const settings = now.settings();
    const notes = settingsNotes(settings, now.config());
    const { templates } = await (await ports.instances()).templates.trusted();
    const unknown = settings.templates.filter((name) => !templates.has(name));
    return [
      approvedFinding(settings.templates),
      ...ownership(ports, "mcp.yaml", ports.places.mcpFile),
      ...unknown.map((name) => unknownTemplate(name)),
      ...notes.map(
        (note): Finding => ({ check: "mcp.yaml", level: "note", message: note.replace(/\.$/, "") }),
      ),
    ];
  },
};

/** config.yaml: usable and nobody else's to write. */
export const configurationCheck: Check = {
  name: "config.yaml",
  look: async (ports) => {
    const { configFile } = ports.places;
    (await ports.settings.read()).config();
    const isThere = lookThrough(ports.machine.files, configFile) !== undefined;
    const message = isThere
      ? `${configFile} is valid`
      : `${configFile} does not exist, so every default holds`;
    return [{ check: "config.yaml", level: "ok", message }, ...ownership(ports, "config.yaml", configFile)];
  },
};

/** Every definition file of a template or recipe can be read. */
export const templatesCheck: Check = {
  name: "templates",
  look: async ({ instances }) => {
    const { templates, problems } = await (await instances()).templates.all();
    if (problems.length === 0) {
      return [{ check: "templates", level: "ok", message: `${templates.size} templates are defined` }];
    }
    return problems.map((problem) => ({
      check: "templates",
      level: "warn",
      message: problem.replace(/\.$/, ""),
      next: "Correct the file, then look with isx templates validate",
    }));
  },
};

function approvedFinding(approved: readonly string[]): Finding {
  if (approved.length > 0) {
    return {
      check: "mcp.yaml",
      level: "ok",
      message: `Agents may use ${approved.map(shownText).join(", ")}`,
    };
  }
  const message = "No template is approved, so agents cannot use isx";
  return { check: "mcp.yaml", level: "note", message, next: "Run isx mcp setup if you want them to" };
}

function unknownTemplate(name: string): Finding {
  return {
    check: "mcp.yaml",
    level: "warn",
    message: `mcp.yaml approves ${shownText(name)}, but no template has that name`,
    next: "Correct the name in mcp.yaml, or write that template with isx templates new",
  };
}

function ownership({ machine }: CommandPorts, check: string, path: string): Finding[] {
  const seen = lookThrough(machine.files, path);
  if (seen === undefined || (seen.mode & 0o022) === 0) return [];
  const message = `Other users may write ${path}, and so approve templates`;
  return [{ check, level: "warn", message, next: `Run chmod go-w ${path}` }];
}
