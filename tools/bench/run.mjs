// node tools/bench/run.mjs [--check] [--runs N] [start] [memory] [tools] [hook] [audit] [isx]
// Prints what the built programs cost, next to a server that everybody knows and to what cannot be avoided,
// measured in turns within one run: only the ratios mean something on another machine. --check measures the start
// alone and exits with 1 when it takes over 0.70 of server-filesystem's.
import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { measureAudit } from "./src/audit.mjs";
import { measureHook } from "./src/hook.mjs";
import { measureIsx } from "./src/isx.mjs";
import { measureMemory } from "./src/memory.mjs";
import { createPlace, program } from "./src/place.mjs";
import { measureStart } from "./src/start.mjs";
import { measureTools } from "./src/tools.mjs";

const highestStartRatio = 0.7;
const sections = {
  start: measureStart,
  memory: measureMemory,
  tools: measureTools,
  hook: measureHook,
  audit: measureAudit,
  isx: measureIsx,
};

const words = process.argv.slice(2);
const runs = words.includes("--runs") ? Number(words[words.indexOf("--runs") + 1]) : undefined;
const wanted = Object.keys(sections).filter((name) => words.includes(name));

if (!existsSync(program)) {
  console.error(`${program} is missing: build first (pnpm build)`);
  process.exit(2);
}
if (words.includes("--check")) await check();
else for (const name of wanted.length > 0 ? wanted : Object.keys(sections)) await measure(name);

async function measure(name) {
  const place = createPlace();
  console.log(`\n== ${name} (load ${loadavg()[0].toFixed(1)})`);
  try {
    return await sections[name](place, { runs });
  } finally {
    place.remove();
  }
}

/** The least ratio of up to three tries: a busy machine spoils a try, a slow start spoils them all. */
async function check() {
  for (let tries = 1; tries <= 3; tries += 1) {
    const { ratio } = await measure("start");
    if (ratio <= highestStartRatio) return;
    console.log(`${ratio.toFixed(2)} is above ${highestStartRatio}`);
  }
  process.exitCode = 1;
}
