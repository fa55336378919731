import { memoryFiles } from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { buildOrder } from "../src/build-order.ts";
import { createTemplates } from "../src/create-templates.ts";
import type { BuiltTemplate, TemplateSet } from "../src/templates.ts";

const files = memoryFiles();
files.makeDirectory("/config/images");
for (const [name, parent] of [
  ["b", "a"],
  ["c", "b"],
  ["d", "b"],
]) {
  files.write(`/config/images/${name}.yaml`, `name: tpl-${name}\nparent: tpl-${parent}\n`);
}
files.write("/config/images/a.yaml", "name: tpl-a\nimage: base\n");
const definitions: TemplateSet = await createTemplates({
  files,
  configDirectory: "/config",
  projectDirectory: undefined,
  config: async () => ({ searchPaths: [], baseImage: undefined }),
}).all();

function order(names: readonly string[], built: readonly (string | BuiltTemplate)[] = []): readonly string[] {
  const seen = built.map((each): BuiltTemplate => {
    if (typeof each !== "string") return each;
    const { definitionHash } = definitions.require(each);
    return { name: each, builtAt: "2026-01-01", definitionHash, projectLocal: false, stale: false };
  });
  const found = buildOrder(names, definitions, new Map(seen.map((each) => [each.name, each])));
  return found.map(({ template, parent }) => (parent ? `${template.name} on ${parent.name}` : template.name));
}

it("X-06 builds missing parents first, each once", () => {
  expect(order(["tpl-c", "tpl-d"])).toEqual(["tpl-a", "tpl-b on tpl-a", "tpl-c on tpl-b", "tpl-d on tpl-b"]);
});

it("X-06 builds what is named although it is built, and leaves good parents alone", () => {
  expect(order(["tpl-c"], ["tpl-a", "tpl-b", "tpl-c"])).toEqual(["tpl-c on tpl-b"]);
});

it("X-06 builds a parent whose definition changed or whose own parent is newer, and all between it and the named one", () => {
  const old = {
    name: "tpl-a",
    builtAt: "2026-01-01",
    definitionHash: "old",
    projectLocal: false,
    stale: true,
  };
  expect(order(["tpl-c"], [old, "tpl-b", "tpl-c"])).toEqual(["tpl-a", "tpl-b on tpl-a", "tpl-c on tpl-b"]);
});

it("X-06 puts parents first when the child is named before its parent", () => {
  expect(order(["tpl-c", "tpl-a"], ["tpl-a", "tpl-b", "tpl-c"])).toEqual([
    "tpl-a",
    "tpl-b on tpl-a",
    "tpl-c on tpl-b",
  ]);
});

it("X-06 refuses a name that is no template before anything is built", () => {
  expect(() => order(["tpl-c", "tpl-x"])).toThrow(expect.objectContaining({ code: "template-unknown" }));
});
