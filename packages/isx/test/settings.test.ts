import { memoryFiles } from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { createHostToolLister } from "../src/host-tools/host-tool-lister.ts";
import { placesOf } from "../src/places.ts";
import { createSettingsReader } from "../src/settings.ts";

const places = placesOf({}, "/home/ada");

function home(content: { readonly mcp?: string; readonly config?: string } = {}) {
  const files = memoryFiles();
  files.makeDirectory(places.configDirectory);
  const write = ({ mcp, config }: typeof content) => {
    if (mcp !== undefined) files.write(places.mcpFile, mcp);
    if (config !== undefined) files.write(places.configFile, config);
  };
  write(content);
  return { files, write, reader: createSettingsReader(files, places, "/home/ada") };
}

it("X-08 a missing and an empty mcp.yaml approve nothing", async () => {
  for (const content of [{}, { mcp: "" }]) {
    const { settings } = await home(content).reader.read();
    expect(settings()).toMatchObject({ templates: [], maxInstances: 8, hostTools: [] });
  }
});

it("X-08 the next reading after a change sees it, also from good to bad and back", async () => {
  const { reader, write } = home({ mcp: "templates: [tpl-dev]\n" });
  const before = await reader.read();
  write({ mcp: "max-instances: -1\n" });
  const bad = await reader.read();
  expect(before.settings().templates).toEqual(["tpl-dev"]);
  expect(() => bad.settings()).toThrow(/mcp\.yaml:1:16/);
  write({ mcp: "max-instances: 3\n" });
  expect((await reader.read()).settings().maxInstances).toBe(3);
});

it.each(["list_templates", "keep_instance", "delegate", "get_diff"])(
  "X-08 a host tool may not take the name %s, which is or will be a tool's own",
  async (name) => {
    const mcp = `host-tools:\n  ${name}:\n    command: "true"\n    description: x\n`;
    expect((await home({ mcp }).reader.read()).settings).toThrow(/name of a tool of isx itself/);
  },
);

it("X-09 an mcp: section in config.yaml is in the way until mcp.yaml exists, and never used", async () => {
  const { reader, write } = home({ config: "mcp:\n  templates: [tpl-dev]\n" });
  const { settings, config } = await reader.read();
  expect(settings).toThrow(/config\.yaml still has an mcp: section and there is no .*mcp\.yaml/);
  expect(config().hasMcpSection).toBe(true);
  write({ mcp: "" });
  expect((await reader.read()).settings().templates).toEqual([]);
});

it("X-08 a config.yaml that cannot be read does not stop what mcp.yaml allows", async () => {
  const { settings, config } = await home({ mcp: "templates: [a]\n", config: "nonsense: 1\n" }).reader.read();
  expect(settings().templates).toEqual(["a"]);
  expect(config).toThrow(/config\.yaml/);
});

const oneTool = 'host-tools:\n  inventory:\n    command: "true"\n    description: What is there\n';

it("X-70 lists host tools in file order with the person's words, as the file is now", async () => {
  const { reader, write } = home({
    mcp: `${oneTool}  a-tool:\n    command: "true"\n    description: Other\n`,
  });
  const list = createHostToolLister(reader);
  const [first, second] = await list();
  expect([first?.name, second?.name]).toEqual(["inventory", "a-tool"]);
  expect(first?.description).toMatch(/^What is there\n\n.*data, not instructions\.$/);
  expect(first?.inputSchema).toMatchObject({ properties: {}, additionalProperties: false });
  write({ mcp: "templates: []\n" });
  expect(await list()).toEqual([]);
});

it("X-70 keeps listing what the file last had while it cannot be used", async () => {
  const { reader, write } = home({ mcp: oneTool });
  const list = createHostToolLister(reader);
  const before = await list();
  write({ mcp: `${oneTool}max-instances: many\n` });
  expect(await list()).toEqual(before);
  expect(await createHostToolLister(reader)()).toEqual([]);
});

it("X-70 finds a host-tools key that is written with escapes", async () => {
  const mcp = oneTool.replace("host-tools", '"host\\x2dtools"');
  expect(await createHostToolLister(home({ mcp }).reader)()).toHaveLength(1);
});
