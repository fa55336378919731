import type { TemplateDefinition } from "@agent-control/policy";
import { expect, it } from "vitest";
import { mergeTemplates } from "../src/merge-templates.ts";
import type { Layer } from "../src/templates.ts";

function merged(
  definitions: readonly Omit<TemplateDefinition, "name">[],
  layer: Layer = "user",
): TemplateDefinition {
  return mergeTemplates(
    definitions.map((definition, index) => ({
      definition: { name: `tpl-${index}`, ...definition },
      source: "file",
      layer,
    })),
  );
}

it("X-04 adds lists up from the root to the leaf, names once, commands as often as they are written", () => {
  const { packages, run, files, tools } = merged([
    { packages: ["git", "jq"], run: ["echo"], files: [{ path: "~/a", content: "1" }] },
    { packages: ["jq", "less"], run: ["echo"], files: [{ path: "~/b", content: "2" }], tools: ["node"] },
  ]);
  expect(packages).toEqual(["git", "jq", "less"]);
  expect(run).toEqual(["echo", "echo"]);
  expect(files?.map(({ path }) => path)).toEqual(["~/a", "~/b"]);
  expect(tools).toEqual(["node"]);
});

it("X-04 takes a scalar from the nearest template that sets it, and maps key by key", () => {
  const leaf = merged([
    {
      image: "base",
      workdir: "/srv",
      network: "airgap",
      env: { A: "1", B: "1" },
      resources: { cpu: 2, memory: "1GiB" },
    },
    {
      parent: "tpl-0",
      network: "full",
      env: { B: "2" },
      accounts: { claude: "work" },
      resources: { cpu: 4 },
    },
    { parent: "tpl-1", description: "leaf" },
  ]);
  expect(leaf).toMatchObject({
    name: "tpl-2",
    parent: "tpl-1",
    image: "base",
    workdir: "/srv",
    network: "full",
    env: { A: "1", B: "2" },
    accounts: { claude: "work" },
    resources: { cpu: 4, memory: "1GiB" },
  });
});

it("X-04 takes coordinator whole from the nearest template that sets either key", () => {
  const parent = { coordinator: { controlOver: ["tpl-java"], isxControlCapability: true } };
  expect(merged([parent, {}]).coordinator).toEqual(parent.coordinator);
  expect(merged([parent, { coordinator: {} }]).coordinator).toEqual(parent.coordinator);
  expect(merged([parent, { coordinator: { isxControlCapability: true } }]).coordinator).toEqual({
    isxControlCapability: true,
  });
  expect(merged([parent, { coordinator: { controlOver: [] } }]).coordinator).toEqual({ controlOver: [] });
});

it("X-60 ignores the coordinator of a project-local template", () => {
  expect(merged([{ coordinator: { controlOver: ["tpl-java"] } }], "project")).not.toHaveProperty(
    "coordinator",
  );
});
