import { chmodSync, linkSync, symlinkSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server as NetServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Server } from "../shared/server.ts";
import { refusal } from "./refusal.ts";
import { createPlace, createWorld, incusIt, type Place, type World } from "./world.ts";

const needIncus = [
  ["list_templates", {}],
  ["list_instances", {}],
  ["adopt_instance", { instance: "mcp-job-abcde" }],
  ["stop_instance", { instance: "mcp-job-abcde" }],
  ["start_instance", { instance: "mcp-job-abcde" }],
  ["exec", { instance: "mcp-job-abcde", command: "true" }],
  ["destroy_instance", { instance: "mcp-job-abcde" }],
  ["keep_instance", { instance: "mcp-job-abcde" }],
  ["create_instance", { template: "tpl-job" }],
] as const;

let place: Place;
let world: World | undefined;
let socket = "";
beforeEach(() => {
  place = createPlace();
  socket = join(place.root, "incus.socket");
  place.writeTemplate("tpl-job", "name: tpl-job\nimage: base\n");
  place.writeMcp("templates: [tpl-job]\n");
});
afterEach(async () => {
  await place.close();
  await world?.close();
  world = undefined;
});

it.each(needIncus)(
  "X-12 %s says what to do when Incus is absent, and the server goes on",
  async (tool, args) => {
    const server = await started();
    const absent = `Incus is not installed or is stopped: there is no socket at ${socket}. Install it (\`sudo apt install incus\`) or start it (\`sudo systemctl start incus\`).`;
    for (const _ of [1, 2])
      expect(await refusal(server, tool, args)).toEqual({ code: "unavailable", text: absent });
    expect(place.auditLines().map(({ action, outcome }) => [action, outcome])).toEqual([
      [tool, "unavailable"],
      [tool, "unavailable"],
    ]);
  },
);

it("X-12 says what to do when Incus was killed: its socket is there and nobody listens", async () => {
  const listener = createServer();
  await listening(listener, `${socket}.alive`);
  linkSync(`${socket}.alive`, socket);
  listener.close();
  const server = await started();
  expect(await refusal(server, "list_instances")).toEqual({
    code: "unavailable",
    text: `Incus is stopped: nobody listens at ${socket}. Start it (\`sudo systemctl start incus\`), then try again.`,
  });
});

it("X-12 says that a user without the right must join the group and log in anew", async ({ skip }) => {
  if (process.getuid?.() !== 0) skip("needs root, to be somebody else");
  const listener = createServer();
  await listening(listener, socket);
  chmodSync(place.root, 0o711);
  chmodSync(socket, 0o600);
  const theirs = createPlace({ INCUS_SOCKET: socket }, 65_534);
  const server = theirs.serve();
  await server.initialize();
  expect(await refusal(server, "list_instances")).toEqual({
    code: "unavailable",
    text: `This user may not use Incus at ${socket}. Join the group incus-admin (\`sudo usermod -aG incus-admin $USER\`) and start again from a new login.`,
  });
  await theirs.close();
  listener.close();
});

it("X-12 does not take for Incus what answers otherwise", async () => {
  const stranger = createHttpServer((_request, response) => response.end("<html>hello</html>"));
  await listening(stranger, socket);
  const server = await started();
  const { text } = await refusal(server, "list_instances");
  expect(text).toMatch(
    /^The answer of Incus about .* could not be read\. Check that it is Incus 6\.0 or newer/,
  );
  stranger.close();
});

it("X-12 says no to a person's verbs with the same sentence and exit code 7", async () => {
  const { code, stdout, stderr } = await place.cli(["list"], { env: { INCUS_SOCKET: socket } });
  expect(code).toBe(7);
  expect(stdout).toBe("");
  expect(stderr).toContain(`there is no socket at ${socket}`);
});

incusIt("X-12 recovers without a restart as soon as Incus is there", async () => {
  world = await createWorld();
  const link = join(world.root, "later.socket");
  const server = world.serve({ INCUS_SOCKET: link });
  await server.initialize();
  expect(await refusal(server, "list_instances")).toMatchObject({ code: "unavailable" });
  symlinkSync(world.env["INCUS_SOCKET"] ?? "", link);
  expect(await server.call("list_instances", {})).toEqual({ instances: [], total: 0, truncated: false });
});

async function started(): Promise<Server> {
  const server = place.serve({ INCUS_SOCKET: socket });
  await server.initialize();
  return server;
}

function listening(server: Pick<NetServer, "listen">, path: string): Promise<void> {
  return new Promise((resolve) => void server.listen(path, () => resolve()));
}
