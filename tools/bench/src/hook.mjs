import { program } from "./place.mjs";
import { timeToExit } from "./start.mjs";
import { inTurns, printTable, quantile } from "./statistics.mjs";

/** What an agent waits for at each of its events: the hook program from start to exit (T-30). */
export async function measureHook({ env }, { runs = 40 }) {
  const payload = JSON.stringify({ session_id: "bench", cwd: "/", hook_event_name: "Stop" });
  const hook = [process.execPath, program, "hook", "Stop", "--agent", "claude"];
  const took = await inTurns(
    {
      hook: () => timeToExit(hook, env, payload),
      "node -e 0": () => timeToExit(["node", "-e", "0"], env),
    },
    runs,
  );
  const base = quantile(took["node -e 0"], 0.5);
  printTable(
    [`start to exit, ${runs} runs`, "p50 ms", "p95 ms", "p50 of node -e 0"],
    Object.entries(took).map(([name, times]) => {
      const p50 = quantile(times, 0.5);
      return [name, p50, quantile(times, 0.95), p50 / base];
    }),
  );
}
