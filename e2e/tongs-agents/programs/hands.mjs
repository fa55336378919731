// A scripted agent's shell: every connection on the unix socket given as its argument sends one line of JSON,
// `{argv, env}`, and is then joined to the stdio of that program, started as this process's own child. A variable
// that is null in `env` is removed. It outlives its terminal and ends when its socket is removed.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";

const [socketPath] = process.argv.slice(2);
process.on("SIGHUP", () => {});
for (const stream of [process.stdin, process.stdout]) stream.on("error", () => {}); // The terminal may be gone.

createServer((connection) => {
  connection.on("error", () => {});
  connection.once("readable", () => {
    const head = connection.read();
    if (head === null) return connection.end();
    const end = head.indexOf("\n");
    connection.unshift(head.subarray(end + 1));
    start(connection, JSON.parse(head.subarray(0, end).toString()));
  });
}).listen(socketPath, () => {
  console.log("hands: ready");
  setInterval(() => existsSync(socketPath) || process.exit(0), 200);
});

function start(connection, { argv, env }) {
  const variables = Object.entries({ ...process.env, ...env }).filter(([, value]) => value !== null);
  const child = spawn(argv[0], argv.slice(1), {
    env: Object.fromEntries(variables),
    stdio: ["pipe", "pipe", "inherit"],
  });
  connection.pipe(child.stdin);
  child.stdout.pipe(connection);
  child.stdin.on("error", () => {}); // It may end before it reads.
  connection.on("close", () => child.stdin.end());
  child.on("error", () => connection.end());
  child.on("close", () => connection.end());
}
