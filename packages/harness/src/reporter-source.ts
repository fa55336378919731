/** First line of every file that install writes whole; a file without it is somebody else's. */
export const ownFileMark =
  "// Written by `tongs-agents install`, which replaces this file. `tongs-agents uninstall` removes it.";

/**
 * JavaScript of a `report(event, payload)` that runs the hook program for one event after another, in order. It never
 * throws and never waits: the newest 128 events are kept, each has 5 s, and an error ends nothing. The promise it returns
 * is settled when every event so far was delivered or given up.
 */
export function reporterSource(program: readonly string[], agent: string): string {
  const [file = "", ...args] = program;
  return `import { spawn } from "node:child_process";

const file = ${JSON.stringify(file)};
const args = ${JSON.stringify(args)};
const queue = [];
let running;

function report(event, payload) {
  queue.push([event, payload]);
  if (queue.length > 128) queue.shift();
  running ??= drain();
  return running;
}

async function drain() {
  while (queue.length > 0) await deliver(...queue.shift());
  running = undefined;
}

function deliver(event, payload) {
  return new Promise((resolve) => {
    try {
      const hook = spawn(file, [...args, "hook", event, "--agent", ${JSON.stringify(agent)}], {
        stdio: ["pipe", "ignore", "ignore"],
      });
      const timer = setTimeout(() => hook.kill("SIGKILL"), 5000);
      const end = () => { clearTimeout(timer); resolve(); };
      hook.on("error", end);
      hook.on("close", end);
      hook.stdin.on("error", () => {});
      hook.stdin.end(JSON.stringify(payload));
    } catch {
      resolve();
    }
  });
}
`;
}
