import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "./client.mjs";
import { knownServer, ownServer } from "./place.mjs";
import { median, printTable } from "./statistics.mjs";

const servers = 6;
const idleMs = 5_000;

/** Private memory of six idle servers of each kind, five seconds after they have listed their tools (C-51). */
export async function measureMemory({ root, env }) {
  const kinds = { "tongs-agents": ownServer, "server-filesystem": knownServer(root) };
  const started = [];
  for (let each = 0; each < servers; each += 1) {
    for (const [name, argv] of Object.entries(kinds)) {
      const server = startServer(argv, env);
      await server.open();
      started.push({ name, server });
    }
  }
  await sleep(idleMs);
  const rows = Object.keys(kinds).map((name) => {
    const sizes = started
      .filter((one) => one.name === name)
      .map(({ server }) => privateMebibytes(server.pid));
    return [name, median(sizes), Math.max(...sizes)];
  });
  for (const { server } of started) await server.close();
  printTable([`private memory of ${servers}`, "median MiB", "most"], rows);
}

function privateMebibytes(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const kibibytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)];
  return kibibytes.reduce((sum, [, amount]) => sum + Number(amount), 0) / 1024;
}
