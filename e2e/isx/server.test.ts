import { afterEach, beforeEach, expect, it } from "vitest";
import { sdkClients } from "../shared/sdk-clients.ts";
import { createPlace, type Place, serverArgv } from "./world.ts";

const tools = [
  [
    "list_templates",
    "create_instance",
    "stop_instance",
    "start_instance",
    "list_instances",
    "adopt_instance",
  ],
  ["exec", "task_status", "wait_any", "task_result", "cancel_task", "destroy_instance", "keep_instance"],
].flat();

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.close());

it.each(sdkClients)(
  "C-27 X-24 lists its tools, then the person's host tools in the file's order, to %s",
  async (_, connect) => {
    place.writeMcp(hostTools("zebra", "aardvark"));
    const client = await connect({ argv: serverArgv, env: place.env });
    expect(client.tools.map(({ name }) => name)).toEqual([...tools, "zebra", "aardvark"]);
    await client.close();
  },
);

it.each(sdkClients)(
  "X-70 C-27 runs a host tool for %s, and its reply fits its schema",
  async (_, connect) => {
    place.writeMcp(hostTools("where"));
    const client = await connect({ argv: serverArgv, env: place.env });
    const reply = await client.call("where", {});
    expect(reply.isError, JSON.stringify(reply.content)).toBeFalsy();
    expect(reply.structuredContent).toMatchObject({ exit_code: 0, output: "where is here\n" });
    expect(JSON.parse(reply.content[0]?.text ?? "")).toEqual(reply.structuredContent);
    await client.close();
  },
);

it("X-24 ends with 0 at the end of its input, and writes nothing but the protocol and its own state", async () => {
  const server = place.serve();
  await server.initialize();
  await server.toolNames();
  server.close();
  expect(await server.exited).toEqual({ code: 0, signal: null });
  for (const line of server.output().trimEnd().split("\n"))
    expect(JSON.parse(line)).toHaveProperty("jsonrpc");
  expect(server.diagnostics()).toBe("");
});

function hostTools(...names: readonly string[]): string {
  const entries = names.map(
    (name) =>
      `  ${name}:\n    command: echo ${name} is here\n    description: Says ${name}\n    min-interval: 0\n`,
  );
  return `host-tools:\n${entries.join("")}`;
}
