import { existsSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createTestClient, type TestClient } from "../shared/test-client.ts";
import { program, type Ran, until, type World } from "./world.ts";

/** Changes to an agent's environment; null removes a variable. */
export type Changes = Readonly<Record<string, string | null>>;

/** An agent that does with its shell what the test says; see `programs/hands.mjs`. */
export interface AgentShell {
  /** Its config profile. */
  readonly toml: string;
  /** An MCP client of a server that this agent started; `argv` starts it in another way. */
  connect(options?: { readonly env?: Changes; readonly argv?: readonly string[] }): Promise<TestClient>;
  /** Starts a program whose output nobody reads. */
  background(argv: readonly string[], env?: Changes): Promise<void>;
  /** Runs a program to its end, as the agent's shell tool does. */
  run(argv: readonly string[], env?: Changes): Promise<Ran>;
}

/** argv of the program's MCP server. */
export const mcpServer: readonly string[] = [process.execPath, program, "mcp"];

/** The agent of the profile `name` in this world, to be started by `world.launch(name)`. */
export function createAgentShell(world: World, name: string, options = "mcp_control = true"): AgentShell {
  const socket = join(world.root, `${name}.hands`);
  const command = [process.execPath, world.script("hands.mjs"), socket];
  let runs = 0;
  const start = async (argv: readonly string[], env: Changes): Promise<Socket> => {
    await until(() => existsSync(socket), 10_000, `the socket of ${name}`);
    const connection = connect(socket);
    connection.write(`${JSON.stringify({ argv, env })}\n`);
    return connection;
  };
  return {
    toml: `[profiles.${name}]\ncommand = ${JSON.stringify(command)}\n${options}\n`,
    async connect({ env = {}, argv = mcpServer } = {}) {
      const connection = await start(argv, env);
      return createTestClient({ input: connection, output: connection, close: () => connection.end() });
    },
    async background(argv, env = {}) {
      (await start(argv, env)).on("data", () => {});
    },
    async run(argv, env = {}) {
      runs += 1;
      const files = join(world.root, `${name}.${runs}`);
      const script = '"$@" >"$0.out" 2>"$0.err" </dev/null; echo $? >"$0.code"';
      const connection = await start(["/bin/sh", "-c", script, files, ...argv], env);
      await new Promise((resolve) => connection.on("data", () => {}).on("close", resolve));
      const read = (end: string) => readFileSync(`${files}.${end}`, "utf8");
      return { code: Number(read("code")), stdout: read("out"), stderr: read("err") };
    },
  };
}
