import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { printTable, quantile } from "./statistics.mjs";

const linesEach = 100;
const paceMs = 50;

/** How long one line takes when 1 and when 8 processes write, each about one line in 50 ms (C-52). */
export async function measureAudit({ root, env }) {
  const writer = join(root, "audit-writer.mjs");
  await bundle(writer);
  const rows = [];
  for (const processes of [1, 8]) {
    const log = join(root, `log-${processes}`, "control.jsonl");
    const argv = [writer, log, String(linesEach), String(paceMs)];
    const outputs = await Promise.all(Array.from({ length: processes }, () => outputOf(argv, env)));
    const took = outputs.flatMap((output) => JSON.parse(output));
    rows.push([`${processes} writing`, quantile(took, 0.5), quantile(took, 0.95), quantile(took, 0.99)]);
  }
  printTable(["one audit line", "p50 ms", "p95 ms", "p99 ms"], rows);
}

async function bundle(outfile) {
  await build({
    ...{ outfile, bundle: true, format: "esm", platform: "node", target: "node20", logLevel: "warning" },
    entryPoints: [fileURLToPath(new URL("audit-writer.ts", import.meta.url))],
    conditions: ["@agent-control/source"],
    // execa, of which nothing is used here, requires Node's modules.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
}

function outputOf(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code) =>
      code === 0 ? resolve(output) : reject(new Error(`the writer exited with ${code}`)),
    );
  });
}
