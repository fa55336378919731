import { readAgentFile, replaceAgentFile } from "@agent-control/harness/setup";
import { approveTemplates } from "@agent-control/policy";
import type { CommandPorts } from "../command-ports.ts";

/**
 * Makes exactly these templates approved in mcp.yaml and leaves the rest of the file as it is; true when that changed
 * it. Throws for a file that is no YAML or was changed meanwhile, and then writes nothing.
 */
export async function approve(
  { machine, facts, places }: Pick<CommandPorts, "machine" | "facts" | "places">,
  names: readonly string[],
): Promise<boolean> {
  const seen = readAgentFile(machine.files, places.mcpFile);
  const edited = await approveTemplates(Buffer.from(seen.text), places.mcpFile, names);
  const text = Buffer.from(edited).toString();
  if (text === seen.text) return false;
  replaceAgentFile({ ...machine, uid: facts.uid }, seen, text);
  return true;
}
