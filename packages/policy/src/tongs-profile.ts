import { flag, oneOf, text } from "./scalar-shapes.ts";
import type { Shape } from "./shape.ts";
import { list, namedTable, table } from "./table-shapes.ts";
import { argument, directoryName, environmentName, profileName, programName } from "./tongs-words.ts";

export interface Profile {
  readonly name: string;
  /** argv; command[0] is the program. */
  readonly command: readonly string[];
  readonly harness: "auto" | "claude" | "codex" | "pi" | "opencode" | "none";
  /** As written: absolute, ~ or relative to the workspace's base directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly mcpControl: boolean;
  readonly mcpAnswerDialogs: boolean;
  readonly mcpSendWhileWorking: "allow" | "refuse";
}

const elements = list((index) => text("", index === 0 ? programName : argument), []);

const command: Shape<readonly string[]> = (value, spot) => {
  const argv = elements(value, spot);
  if (value === undefined) spot.refuse('is missing: a profile needs a list such as ["claude"]');
  if (Array.isArray(value) && argv.length === 0) spot.refuse("must name a program, not be empty");
  return argv;
};

const written = table({
  command,
  harness: oneOf(["auto", "claude", "codex", "pi", "opencode", "none"], "auto"),
  cwd: text(".", directoryName),
  env: namedTable(() => text("", argument), environmentName),
  mcp_control: flag(false),
  mcp_answer_dialogs: flag(false),
  mcp_send_while_working: oneOf(["allow", "refuse"], "allow"),
});

/** The `[profiles.NAME]` tables by name. */
export const profiles = namedTable(profile, profileName);

function profile(name: string): Shape<Profile> {
  return (value, spot) => {
    const { mcp_control, mcp_answer_dialogs, mcp_send_while_working, ...rest } = written(value, spot);
    return {
      name,
      ...rest,
      mcpControl: mcp_control,
      mcpAnswerDialogs: mcp_answer_dialogs,
      mcpSendWhileWorking: mcp_send_while_working,
    };
  };
}
