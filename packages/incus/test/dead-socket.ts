import { spawn } from "node:child_process";
import { once } from "node:events";

/** Leaves a socket behind at which nobody listens any more, as a killed daemon does. */
export async function leaveDeadSocket(socketPath: string): Promise<void> {
  const program = 'require("net").createServer().listen(process.argv[1], () => console.log("up"))';
  const child = spawn(process.execPath, ["-e", program, socketPath]);
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}
