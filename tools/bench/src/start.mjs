import { spawn } from "node:child_process";
import { startServer } from "./client.mjs";
import { knownServer, ownServer } from "./place.mjs";
import { inTurns, median, printTable } from "./statistics.mjs";

/** From starting the process until tools/list is answered (C-50), next to a Node that does nothing. */
export async function measureStart({ root, env }, { runs = 15 }) {
  const known = "server-filesystem";
  const took = await inTurns(
    {
      "tongs-agents": () => timeToList(ownServer, env),
      [known]: () => timeToList(knownServer(root), env),
      "node -e 0": () => timeToExit(["node", "-e", "0"], env),
    },
    runs,
  );
  const medians = Object.entries(took).map(([name, times]) => [name, median(times)]);
  const base = median(took[known]);
  printTable(
    [`median of ${runs}`, "ms", `of ${known}`],
    medians.map(([name, ms]) => [name, ms, ms / base]),
  );
  return { ratio: median(took["tongs-agents"]) / base };
}

async function timeToList(argv, env) {
  const started = performance.now();
  const server = startServer(argv, env);
  await server.open();
  const took = performance.now() - started;
  await server.close();
  return took;
}

/** Milliseconds until a program has ended by itself. */
export async function timeToExit([file, ...args], env, input = "") {
  const started = performance.now();
  const child = spawn(file, args, { env, stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.on("error", () => {}); // It may end before it reads.
  child.stdin.end(input);
  await new Promise((resolve, reject) => child.on("exit", resolve).on("error", reject));
  return performance.now() - started;
}
