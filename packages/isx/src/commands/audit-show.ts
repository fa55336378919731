import { newestEntries } from "@agent-control/audit";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";
import { formatFlag, listingAnswer } from "../listing.ts";

const keys = ["ts", "session", "action", "instance", "outcome", "ms", "detail"] as const;

export const auditShow = defineCommand({
  description:
    "Prints the newest lines of the audit log: which session did what with which instance, and how it ended.",
  arguments: [],
  flags: [
    formatFlag,
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
  example: "isx audit show --lines 50",
  run: async ({ flags: { format, lines } }, { machine, places }: CommandPorts) => {
    const entries = newestEntries({ files: machine.files, path: places.auditLog }, lines);
    return listingAnswer(format, {
      json: { lines: entries },
      table: {
        columns: ["WHEN", "SESSION", "ACTION", "INSTANCE", "OUTCOME", "MS", "DETAIL"].map((heading) => ({
          heading,
        })),
        rows: entries.map((entry) => keys.map((key) => String(entry[key] ?? "-"))),
        whenEmpty: "The audit log is empty",
      },
    });
  },
});
