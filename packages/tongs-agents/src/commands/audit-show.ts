import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { auditLog } from "../main.ts";

const tailBytes = 256 * 1024;

export const auditShow = defineCommand({
  description: "Prints the newest lines of the audit log: who did what to whom, and how it ended.",
  arguments: [],
  flags: [
    {
      name: "lines",
      short: "n",
      type: "number",
      value: "COUNT",
      summary: "How many",
      min: 1,
      max: 500,
      default: 20,
    },
  ],
  example: "tongs-agents audit show --lines 50",
  run: async ({ flags: { lines } }, ports: CommandPorts) => {
    const entries = newestLines(ports, lines);
    const text = (entry: Entry, key: string) => String(entry[key] ?? "-");
    return {
      json: { lines: entries },
      human: {
        columns: ["WHEN", "ACTOR", "ACTION", "TARGET", "BYTES", "OUTCOME", "MS"].map((heading) => ({
          heading,
        })),
        rows: entries.map((entry) =>
          ["ts", "actor", "action", "target", "bytes", "outcome", "ms"].map((key) => text(entry, key)),
        ),
        whenEmpty: "The audit log is empty",
      },
    };
  },
});

type Entry = Readonly<Record<string, unknown>>;

function newestLines(ports: CommandPorts, count: number): Entry[] {
  const { files } = ports.machine;
  const path = auditLog(ports.places);
  const size = files.look(path)?.size ?? 0;
  const bytes = files.readAt(path, Math.max(0, size - tailBytes), tailBytes);
  const whole = new TextDecoder()
    .decode(bytes)
    .split("\n")
    .slice(size > tailBytes ? 1 : 0);
  return whole.flatMap(parse).slice(-count);
}

/** A torn or foreign line is left out here; `audit verify` names it. */
function parse(line: string): Entry[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? [value as Entry] : [];
  } catch {
    return [];
  }
}
