import * as z from "zod";
import { fleetTool } from "../fleet-tool.ts";

const input = z.strictObject({});
const output = z.strictObject({ removed: z.int() });

export const fleetCleanup = fleetTool({
  name: "fleet_cleanup",
  title: "Forget ended sessions",
  description:
    "Use this to remove the status records of sessions that ended more than 300 seconds ago. Ends nothing and touches no running session.",
  readOnly: false,
  input,
  output,
  async run({ ports }) {
    return { removed: await ports.activity.cleanup(300_000) };
  },
});
