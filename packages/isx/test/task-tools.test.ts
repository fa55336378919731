import { Failure } from "@agent-control/base";
import { fakeClock } from "@agent-control/base/testing";
import type { TaskSeen, Tasks } from "@agent-control/instances";
import type { Call } from "@agent-control/mcp";
import { expect, it } from "vitest";
import type { IsxContext } from "../src/isx-tool.ts";
import { cancelTask } from "../src/tools/cancel-task.ts";
import { taskResult } from "../src/tools/task-result.ts";
import { taskStatus } from "../src/tools/task-status.ts";
import { waitAny } from "../src/tools/wait-any.ts";

interface Written {
  readonly state?: TaskSeen["state"];
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Tasks whose streams hold what is given; everything else a tool may ask is an error of the test. */
function contextOf(
  written: Readonly<Record<string, Written>>,
  requireInstance = async () => ({}),
): IsxContext {
  const seenOf = ({ state = "finished", stdout = "", stderr = "" }: Written): TaskSeen => ({
    state,
    exitCode: state === "finished" ? 3 : undefined,
    startedAt: 1_700_000_000_000,
    lastActivityAt: Number.NaN,
    stdoutBytes: stdout.length,
    stderrBytes: stderr.length,
  });
  const states = async (ids: readonly string[]) =>
    new Map(ids.map((id) => [id, seenOf(written[id] ?? {})] as const));
  const tasks: Partial<Tasks> = {
    require(id) {
      if (written[id] === undefined)
        throw new Failure("refused", { code: "task-unknown", message: "No such task", next: "Look again" });
      return { id, instance: "mcp-x-abcde", kind: "command", state: "running" };
    },
    states,
    waitAny: states,
    running: () => Object.keys(written).filter((id) => written[id]?.state === "running"),
    async read(id, { stream, offset, limit }) {
      const text = written[id]?.[stream] ?? "";
      const from = offset ?? Math.max(0, text.length - limit);
      const piece = text.slice(from, from + limit);
      return { text: piece, offset: from, nextOffset: from + piece.length, totalBytes: text.length };
    },
  };
  return {
    instances: { tasks, holdings: { require: requireInstance } },
    clock: fakeClock(),
  } as unknown as IsxContext;
}

const call: Call = {
  signal: new AbortController().signal,
  client: "test",
  note: () => {},
  progress: () => {},
};
const resultArguments = { stream: "stdout", max_bytes: 1000, offset: undefined } as const;

it("X-21 task_result gives a short stream's room to the long one and says that there is more", async () => {
  const context = contextOf({ t: { stdout: "a".repeat(5000), stderr: "b".repeat(100) } });
  const result = await taskResult.run(context, { task_id: "t", ...resultArguments }, call);
  expect(result).toMatchObject({ exit_code: 3, stdout_bytes: 5000, stderr_bytes: 100, truncated: true });
  expect([result.stdout?.length, result.stderr?.length]).toEqual([900, 100]);
});

it("X-21 task_result reads a stream on from an offset to its end", async () => {
  const text = Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join("");
  const context = contextOf({ t: { stdout: text } });
  let read = "";
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const piece: Awaited<ReturnType<typeof taskResult.run>> = await taskResult.run(
      context,
      { task_id: "t", ...resultArguments, offset },
      call,
    );
    read += piece.stdout;
    offset = piece.next_offset;
  }
  expect(read).toBe(text);
});

it("X-21 task_result is refused while the task runs, and told apart from no answer", async () => {
  const context = contextOf({ running: { state: "running" }, silent: { state: "unknown" } });
  const refusal = (task_id: string) => taskResult.run(context, { task_id, ...resultArguments }, call);
  await expect(refusal("running")).rejects.toMatchObject({ outcome: "refused", code: "task-running" });
  await expect(refusal("silent")).rejects.toMatchObject({ outcome: "unavailable" });
});

it("X-21 wait_any waits for all that run, names what is over, and answers at once when nothing runs", async () => {
  const context = contextOf({ done: {}, lost: { state: "lost" }, busy: { state: "running" } });
  const all = await waitAny.run(
    context,
    { task_ids: ["done", "lost", "busy", "done"], timeout_seconds: 1 },
    call,
  );
  expect(all.finished).toEqual(["done", "lost"]);
  expect(all.tasks).toHaveLength(3);
  expect((await waitAny.run(context, { timeout_seconds: 1 }, call)).tasks).toMatchObject([
    { task_id: "busy" },
  ]);
  expect(await waitAny.run(contextOf({}), { timeout_seconds: 1 }, call)).toEqual({ tasks: [], finished: [] });
  const unknown = waitAny.run(context, { task_ids: ["busy", "other"], timeout_seconds: 1 }, call);
  await expect(unknown).rejects.toMatchObject({ code: "task-unknown" });
});

it("X-21 task_status shows the last lines and leaves out what the guest's clock cannot mean", async () => {
  const stdout = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join("");
  const status = await taskStatus.run(
    contextOf({ t: { state: "running", stdout } }),
    { task_id: "t", wait_seconds: 0 },
    call,
  );
  expect(status.stdout_tail?.split("\n")).toHaveLength(21);
  expect(status.stdout_tail).toMatch(/line 99\n$/);
  expect(status).toMatchObject({ state: "running", started_at: "2023-11-14T22:13:20.000Z" });
  expect([status.last_activity, status.stderr_tail, status.exit_code]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("X-13 a task's tools ask who holds its instance now, and only an instance that is gone is no obstacle", async () => {
  const failing = (code: string) => async () => {
    throw new Failure("refused", { code, message: "No", next: "Look again" });
  };
  const adopted = contextOf({ t: {} }, failing("instance-held"));
  const held = { code: "instance-held" };
  await expect(cancelTask.run(adopted, { task_id: "t" }, call)).rejects.toMatchObject(held);
  await expect(taskStatus.run(adopted, { task_id: "t", wait_seconds: 0 }, call)).rejects.toMatchObject(held);
  await expect(taskResult.run(adopted, { task_id: "t", ...resultArguments }, call)).rejects.toMatchObject(
    held,
  );
  const gone = contextOf({ t: { state: "lost" } }, failing("instance-unknown"));
  expect(await taskStatus.run(gone, { task_id: "t", wait_seconds: 0 }, call)).toMatchObject({
    state: "lost",
  });
});
