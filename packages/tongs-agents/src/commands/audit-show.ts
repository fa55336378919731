import { type LogEntry, newestEntries } from "@agent-control/audit";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { auditLog } from "../main.ts";

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
    const entries = newestEntries({ files: ports.machine.files, path: auditLog(ports.places) }, lines);
    const text = (entry: LogEntry, key: string) => String(entry[key] ?? "-");
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
