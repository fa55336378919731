// A scripted calling agent: for every connection on the unix socket given as its argument it starts one
// `tongs-agents mcp` as its own child, as an agent CLI does, and joins the connection to that server's stdio.
import { spawn } from "node:child_process";
import { createServer } from "node:net";

const [socketPath, ...server] = process.argv.slice(2);

createServer((connection) => {
  const child = spawn(server[0], server.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  connection.pipe(child.stdin);
  child.stdout.pipe(connection);
  child.stdin.on("error", () => {}); // The server may be gone first.
  connection.on("error", () => child.stdin.end());
  connection.on("close", () => child.stdin.end());
  child.on("close", () => connection.end());
}).listen(socketPath, () => console.log("lead: ready"));
