import { beforeAll, expect, it } from "vitest";
import { portUses, reachableFiles } from "./server-graph.ts";

let files: readonly string[];
beforeAll(() => {
  files = reachableFiles("packages/isx/src/commands/mcp.ts");
});

it("X-71 the server reaches its tools and the ways to instances, and no build and no host preparation", () => {
  for (const wanted of [
    "packages/isx/src/tools/exec.ts",
    "packages/isx/src/host-tools/host-tool-runner.ts",
    "packages/instances/src/create-holdings.ts",
    "packages/incus/src/create-incus.ts",
    "packages/system/src/processes.ts",
  ]) {
    expect(files).toContain(wanted);
  }
  const forbidden =
    /create-builds|build-template|install-recipe|host-setup|ensure-networks|wire-builds|templates-(new|edit)|commands\/(?!mcp\.ts)/;
  expect(files.filter((file) => forbidden.test(file))).toEqual([]);
});

it("X-71 nothing that the server reaches runs a program, but the host-tool runner", () => {
  expect(outsideSystem(portUses(files, "Processes"))).toEqual([
    { file: "packages/isx/src/host-tools/host-tool-runner.ts", method: "run" },
  ]);
});

const writing = ["write", "append", "truncate", "remove", "rename", "makeDirectory"];

it("X-71 nothing that the server reaches writes a file, but audit, locks, reservations and the host tools' state", () => {
  const writers = outsideSystem(portUses(files, "Files")).filter(({ method }) => writing.includes(method));
  expect(
    [...new Set(writers.map(({ file }) => file))].filter((file) => !file.startsWith("packages/audit/")),
  ).toEqual([
    "packages/instances/src/reservations.ts",
    "packages/instances/src/task-ledger.ts",
    "packages/instances/src/template-lock.ts",
    "packages/isx/src/host-tools/last-ends.ts",
  ]);
});

/** `system` is what the ports are made of. */
function outsideSystem<Use extends { readonly file: string }>(uses: readonly Use[]): readonly Use[] {
  return uses.filter(({ file }) => !file.startsWith("packages/system/"));
}
