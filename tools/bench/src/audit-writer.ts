// audit-writer LOG COUNT PACE_MS: writes COUNT lines, waiting half to one and a half PACE_MS between them, and
// prints the milliseconds of each as a JSON array.
import { createAudit } from "../../../packages/audit/src/index.ts";
import { createMachine } from "../../../packages/system/src/index.ts";

const [path = "", count = "", paceMs = ""] = process.argv.slice(2);
const machine = createMachine({ onError: (failure) => console.error(failure.message) });
const audit = createAudit({ ...machine, path, diagnose: console.error });
const took: number[] = [];
for (let line = 0; line < Number(count); line += 1) {
  await machine.clock.sleep(Number(paceMs) * (0.5 + Math.random()));
  const started = machine.clock.monotonic();
  const ts = new Date(machine.clock.now()).toISOString();
  const entry = {
    ts,
    actor: `mcp:${process.pid}`,
    action: "status",
    outcome: "ok",
    exit_code: 0,
    ms: line,
  } as const;
  if (!(await audit.record(entry))) throw new Error("a line was not written");
  took.push(machine.clock.monotonic() - started);
}
console.log(JSON.stringify(took));
