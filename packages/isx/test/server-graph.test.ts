import { beforeAll, expect, it } from "vitest";
import { type PortUse, portUses, reachableFiles } from "./server-graph.ts";

let files: readonly string[];
let uses: readonly PortUse[];
beforeAll(() => {
  files = reachableFiles("packages/isx/src/commands/mcp.ts");
  // `system` is what the ports are made of.
  uses = portUses(files, ["Processes", "Files"]).filter(({ file }) => !file.startsWith("packages/system/"));
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
    /create-builds|build-template|install-recipe|host-setup|ensure-networks|wire-builds|template-file|commands\/(?!mcp\.ts)/;
  expect(files.filter((file) => forbidden.test(file))).toEqual([]);
});

it("X-71 nothing that the server reaches runs a program, but the host-tool runner", () => {
  expect(uses.filter(({ port }) => port === "Processes")).toEqual([
    { file: "packages/isx/src/host-tools/host-tool-runner.ts", port: "Processes", method: "run" },
  ]);
});

const writing = ["write", "append", "truncate", "remove", "rename", "makeDirectory"];

it("X-71 nothing that the server reaches writes a file, but audit, reservations, the ledger and the host tools' state", () => {
  const writers = uses.filter(({ port, method }) => port === "Files" && writing.includes(method));
  const places = new Set(
    writers.map(({ file }) => file).filter((file) => !file.startsWith("packages/audit/")),
  );
  expect([...places]).toEqual([
    "packages/instances/src/reservations.ts",
    "packages/instances/src/task-ledger.ts",
    "packages/isx/src/host-tools/last-ends.ts",
  ]);
});
