import type { AnyTool } from "@agent-control/mcp";
import type { IsxContext } from "./isx-tool.ts";
import { adoptInstance } from "./tools/adopt-instance.ts";
import { cancelTask } from "./tools/cancel-task.ts";
import { createInstance } from "./tools/create-instance.ts";
import { destroyInstance } from "./tools/destroy-instance.ts";
import { exec } from "./tools/exec.ts";
import { keepInstance } from "./tools/keep-instance.ts";
import { listInstances } from "./tools/list-instances.ts";
import { listTemplates } from "./tools/list-templates.ts";
import { startInstance } from "./tools/start-instance.ts";
import { stopInstance } from "./tools/stop-instance.ts";
import { taskResult } from "./tools/task-result.ts";
import { taskStatus } from "./tools/task-status.ts";
import { waitAny } from "./tools/wait-any.ts";

/** Always listed, in this order, before the person's host tools. */
export const tools: readonly AnyTool<IsxContext>[] = [
  listTemplates,
  createInstance,
  stopInstance,
  startInstance,
  listInstances,
  adoptInstance,
  exec,
  taskStatus,
  waitAny,
  taskResult,
  cancelTask,
  destroyInstance,
  keepInstance,
];
