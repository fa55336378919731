import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Server } from "../shared/server.ts";
import { until } from "../shared/until.ts";
import { createOwnIncus, mayHaveOwnIncus, type OwnIncus } from "./own-incus.ts";
import { refusal } from "./refusal.ts";
import { createWorld, type World } from "./world.ts";

if (!mayHaveOwnIncus)
  console.log("Skipped: restarting Incus needs one of the test's own, and so root on Debian 12");

describe.runIf(mayHaveOwnIncus)("while Incus is restarted", { timeout: 120_000 }, () => {
  let own: OwnIncus;
  let world: World;
  let server: Server;
  let instance = "";

  beforeAll(async () => {
    own = createOwnIncus();
    // Another user than whoever else tests here: bridges are named by user, and shared by every Incus of the machine.
    world = await createWorld({ socket: own.socket, uid: 20_000 + (process.pid % 40_000) });
    world.writeTemplate("tpl-job", "name: tpl-job\nimage: base\nnetwork: airgap\n");
    const init = await world.cli(["init"]);
    expect(init.code, init.stderr).toBe(0);
    await world.build("tpl-job");
    world.writeMcp("templates: [tpl-job]\n");
    server = world.serve();
    await server.initialize();
    instance = String((await server.call("create_instance", { template: "tpl-job" }))["instance"]);
  }, 240_000);
  afterAll(async () => {
    try {
      await world?.close();
    } finally {
      own?.remove();
    }
  }, 120_000);

  it("X-12 calls are refused while Incus is stopped, and work as soon as it is back, in the same server", async () => {
    await own.stop();
    expect(await refusal(server, "list_instances")).toEqual({
      code: "unavailable",
      text: expect.stringContaining(`there is no socket at ${own.socket}`),
    });
    own.start();
    expect(await server.call("list_instances", {})).toMatchObject({ total: 1, instances: [{ instance }] });
    expect(await server.call("exec", { instance, command: "echo back" })).toMatchObject({ stdout: "back\n" });
  });

  it("X-20 a background task goes on while Incus is killed and back, and its result is whole", async () => {
    const command = "for i in $(seq 40); do echo step $i; sleep 0.1; done; exit 3";
    const { task_id } = await server.call("exec", { instance, command, background: true });
    await own.kill();
    expect((await refusal(server, "task_result", { task_id })).code).toBe("unavailable");
    own.start();
    expect(await server.call("wait_any", { task_ids: [task_id] })).toMatchObject({ finished: [task_id] });
    const { exit_code, stdout } = await server.call("task_result", { task_id });
    expect([exit_code, stdout]).toEqual([
      3,
      Array.from({ length: 40 }, (_, i) => `step ${i + 1}\n`).join(""),
    ]);
  });

  it("X-16 a foreground command whose Incus is killed is not left waiting, and the server goes on", async () => {
    const { reply } = server.start("exec", { instance, command: "echo begun > begun; sleep 60" });
    const hasBegun = async () =>
      (await world.incus.exec(instance, ["test", "-e", "/home/agentuser/begun"])).code === 0;
    await until(hasBegun, 10_000, "the command's begin");
    await own.kill();
    const { isError, content } = await reply;
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/Incus/)]);
    own.start();
    expect(await server.call("exec", { instance, command: "echo again" })).toMatchObject({ exit_code: 0 });
  });

  it("X-12 of many calls during a restart none hangs, and each works or says what to do", async () => {
    const restarted = own.stop().then(() => own.start());
    const replies = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 50));
        return server.callRaw("list_instances", {});
      }),
    );
    await restarted;
    for (const { isError, content } of replies) {
      if (isError) expect(content[0]?.text).toMatch(/Incus .*\.$/s);
    }
    expect(await server.call("list_instances", {})).toMatchObject({ total: 1 });
  });
});
