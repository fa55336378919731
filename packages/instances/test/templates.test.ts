import { memoryFiles } from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { createTemplates } from "../src/create-templates.ts";

const config = "/home/ada/.config/incus-spawn";
const images = `${config}/images`;

function written(
  files: Readonly<Record<string, string>>,
  options: { searchPaths?: string[]; baseImage?: string } = {},
) {
  const memory = memoryFiles();
  for (const [path, text] of Object.entries(files)) {
    memory.makeDirectory(path.slice(0, path.lastIndexOf("/")));
    memory.write(path, text);
  }
  const templates = createTemplates({
    files: memory,
    configDirectory: config,
    projectDirectory: "/work/repo",
    config: async () => ({ searchPaths: options.searchPaths ?? [], baseImage: options.baseImage }),
  });
  return { memory, templates };
}

it("X-03 has tpl-minimal, tpl-dev and tpl-agent on top of each other without any file", async () => {
  const set = await written({}).templates.all();
  expect(set.problems).toEqual([]);
  expect(set.require("tpl-agent").chain.map(({ definition }) => definition.name)).toEqual([
    "tpl-minimal",
    "tpl-dev",
    "tpl-agent",
  ]);
});

it("X-03 puts base-image below the built-in templates", async () => {
  const set = await written({}, { baseImage: "my-base" }).templates.all();
  expect(set.require("tpl-dev").merged.image).toBe("my-base");
});

it("X-03 reads the user's own files, then the search paths, then the project; the later one wins", async () => {
  const { templates } = written(
    {
      [`${images}/a.yaml`]: "name: tpl-a\nparent: tpl-dev\ndescription: own\n",
      [`${images}/b.yaml`]: "name: tpl-b\nparent: tpl-dev\ndescription: own\n",
      "/shared/images/b.yaml": "name: tpl-b\nparent: tpl-dev\ndescription: shared\n",
      "/work/repo/.incus-spawn/images/c.yaml": "name: tpl-c\nparent: tpl-b\n",
    },
    { searchPaths: ["/shared"] },
  );
  const set = await templates.all();
  expect(set.require("tpl-a").merged.description).toBe("own");
  expect(set.require("tpl-b").merged.description).toBe("shared");
  expect(set.require("tpl-b").chain.at(-1)).toMatchObject({
    layer: "search-path",
    source: "/shared/images/b.yaml",
  });
  expect(set.require("tpl-c").projectLocal).toBe(true);
});

it("X-14 trusts nothing that a project redefines: neither the template, nor its parent, nor a tool", async () => {
  const own = {
    [`${images}/approved.yaml`]: "name: tpl-approved\nparent: tpl-base\ntools: [helper]\n",
    [`${images}/base.yaml`]: "name: tpl-base\nimage: base\n",
    [`${config}/tools/helper.yaml`]: "name: helper\nrun: [echo own]\n",
  };
  const before = await written(own).templates.trusted();
  const project = "/work/repo/.incus-spawn";
  const { templates } = written({
    ...own,
    [`${project}/images/approved.yaml`]: "name: tpl-approved\nimage: evil\n",
    [`${project}/images/base.yaml`]: "name: tpl-base\nimage: evil\nrun: [curl evil]\n",
    [`${project}/images/broken.yaml`]: "name: tpl-minimal\nnonsense: [\n",
    [`${project}/tools/helper.yaml`]: "name: helper\nrun: [echo evil]\n",
    [`${project}/tools/claude.yaml`]: "name: claude\nagent: {name: claude, delegate: true}\n",
  });
  const after = await templates.trusted();
  expect(after.require("tpl-approved")).toEqual(before.require("tpl-approved"));
  expect([...after.templates.keys()]).toEqual([...before.templates.keys()]);
  expect(after.problems).toEqual([]);
  const all = await templates.all();
  expect(all.require("tpl-approved")).toMatchObject({ projectLocal: true, merged: { image: "evil" } });
});

it("X-14 takes a template for project-local when only one of its tools is", async () => {
  const { templates } = written({
    [`${images}/a.yaml`]: "name: tpl-a\nimage: base\ntools: [helper]\n",
    "/work/repo/.incus-spawn/tools/helper.yaml": "name: helper\nrun: [echo project]\n",
  });
  expect((await templates.all()).require("tpl-a").projectLocal).toBe(true);
  const trusted = await templates.trusted();
  expect(() => trusted.require("tpl-a")).toThrow(/there is no tool "helper"/);
});

it("X-03 names file, line and column of a parent that does not exist, and the nearest one", async () => {
  const { templates } = written({ [`${images}/a.yaml`]: "name: tpl-a\n# a comment\nparent:  tpl-dve\n" });
  const set = await templates.all();
  expect(set.problems).toEqual([
    `${images}/a.yaml:3:10: there is no template "tpl-dve" to be its parent; did you mean "tpl-dev"?`,
  ]);
  expect(set.templates.has("tpl-a")).toBe(false);
});

it("X-03 names the file and the whole circle when parents go round, and leaves only those out", async () => {
  const { templates } = written({
    [`${images}/a.yaml`]: "name: tpl-a\nparent: tpl-b\n",
    [`${images}/b.yaml`]: "name: tpl-b\nparent: tpl-c\n",
    [`${images}/c.yaml`]: "name: tpl-c\nparent: tpl-a\n",
    [`${images}/self.yaml`]: "name: tpl-self\nparent: tpl-self\n",
    [`${images}/fine.yaml`]: "name: tpl-fine\nparent: tpl-dev\n",
  });
  const set = await templates.all();
  expect(set.problems).toContain(
    `${images}/c.yaml:2:9: the parents tpl-a → tpl-b → tpl-c → tpl-a go round in a circle`,
  );
  expect(set.templates.has("tpl-fine")).toBe(true);
  for (const name of ["tpl-a", "tpl-b", "tpl-c", "tpl-self"]) expect(set.templates.has(name)).toBe(false);
});

it("X-03 breaks the built-in templates too when a file puts their root below themselves", async () => {
  const { templates } = written({ [`${images}/m.yaml`]: "name: tpl-minimal\nparent: tpl-agent\n" });
  const set = await templates.all();
  expect(set.templates.size).toBe(0);
  expect(() => set.require("tpl-dev")).toThrow(/go round in a circle/);
});

it("X-03 uses neither of two files of one directory that have the same name", async () => {
  const { templates } = written({
    [`${images}/a.yaml`]: "name: tpl-dev\nimage: one\n",
    [`${images}/b.yaml`]: "description: twin\nname: tpl-dev\nimage: two\n",
  });
  const set = await templates.all();
  expect(set.problems).toContain(
    `${images}/b.yaml:2:7: the name "tpl-dev" is taken by a.yaml of the same directory`,
  );
  expect(() => set.require("tpl-dev")).toThrow(/is taken by a\.yaml/);
});

it("X-03 leaves out a template without parent and image", async () => {
  const { templates } = written({ [`${images}/a.yaml`]: "name: tpl-a\npackages: [git]\n" });
  expect((await templates.all()).problems).toEqual([
    `${images}/a.yaml:1:7: "tpl-a" has neither a parent nor an image`,
  ]);
});

it("X-03 lets no built-in definition stand in for a file that cannot be parsed, whatever the file is called", async () => {
  const { templates } = written({
    [`${images}/tpl-minimal.yaml`]: "image: [\n",
    [`${images}/strict.yaml`]: "name: tpl-dev\nparent: tpl-minimal\nnetwork: airgapped\n",
  });
  const set = await templates.all();
  expect(set.templates.size).toBe(0);
  expect(set.problems.some((problem) => problem.startsWith(`${images}/strict.yaml:3:10: `))).toBe(true);
  expect(() => set.require("tpl-dev")).toThrow(/strict\.yaml:3:10/);
  expect(() => set.require("tpl-agent")).toThrow(/its parent "tpl-dev" is broken/);
});

it.each(["fifo", "directory", "socket", "symlink"] as const)(
  "X-03 is neither hung nor fooled by a %s where a template file should be",
  async (kind) => {
    const { memory, templates } = written({ [`${images}/fine.yaml`]: "name: tpl-fine\nimage: base\n" });
    memory.place(`${images}/tpl-dev.yaml`, kind, { target: "/nowhere" });
    const set = await templates.all();
    expect(set.problems.some((problem) => problem.includes("tpl-dev.yaml"))).toBe(true);
    expect(set.templates.has("tpl-fine")).toBe(true);
    expect(set.templates.has("tpl-dev")).toBe(false);
  },
);

it("X-03 reads neither a huge file nor thousands of files", async () => {
  const { memory, templates } = written({ [`${images}/huge.yaml`]: `name: huge\n#${"x".repeat(300_000)}` });
  for (let index = 0; index < 600; index += 1)
    memory.write(`${images}/n${index}.yaml`, `name: n${index}\nimage: base\n`);
  const set = await templates.all();
  expect(set.problems).toContainEqual(expect.stringContaining("huge.yaml is larger than allowed"));
  expect(set.problems).toContainEqual(expect.stringContaining("holds more than 500 files"));
});

it("X-03 follows a link in the user's own directory, and none in a project's", async () => {
  const { memory, templates } = written({ "/dotfiles/own.yaml": "name: tpl-own\nimage: base\n" });
  memory.place(`${images}/own.yaml`, "symlink", { target: "/dotfiles/own.yaml" });
  memory.place("/work/repo/.incus-spawn/images/theirs.yaml", "symlink", { target: "/dotfiles/own.yaml" });
  const set = await templates.all();
  expect(set.require("tpl-own").projectLocal).toBe(false);
  expect(set.problems).toEqual([expect.stringContaining("theirs.yaml is a symbolic link")]);
});

it("X-03 suggests the nearest template for a name that there is not", async () => {
  const set = await written({}).templates.all();
  expect(() => set.require("tpl-agnet")).toThrow(
    expect.objectContaining({
      code: "template-unknown",
      outcome: "refused",
      next: 'Did you mean "tpl-agent"?',
    }),
  );
});

it("X-05 installs the tools of the whole chain after what they require, each once", async () => {
  const { templates } = written({
    [`${images}/a.yaml`]: "name: tpl-a\nimage: base\ntools: [agent]\n",
    [`${images}/b.yaml`]: "name: tpl-b\nparent: tpl-a\ntools: [runtime, other]\n",
    [`${config}/tools/agent.yaml`]: "name: agent\nrequires: [runtime]\nagent: {name: pi, delegate: true}\n",
    [`${config}/tools/runtime.yaml`]: "name: runtime\nrun: [echo]\n",
    [`${config}/tools/other.yaml`]: "name: other\nagent: {name: claude, delegate: true}\n",
  });
  const template = (await templates.all()).require("tpl-b");
  expect(template.recipes.map(({ recipe }) => recipe.name)).toEqual(["runtime", "agent", "other"]);
  expect(template.agents.map(({ name }) => name)).toEqual(["claude", "pi"]);
});

it("X-05 names the place of a tool that does not exist or that requires itself", async () => {
  const { templates } = written({
    [`${images}/a.yaml`]: "name: tpl-a\nimage: base\ntools:\n  - x\n  - y\n",
    [`${images}/b.yaml`]: "name: tpl-b\nimage: base\ntools: [x]\n",
    [`${config}/tools/x.yaml`]: "name: x\nrequires: [z]\n",
    [`${config}/tools/z.yaml`]: "name: z\nrequires: [x]\n",
  });
  const set = await templates.all();
  expect(set.problems).toEqual([
    `${images}/a.yaml:4:5: the tools x → z → x require each other in a circle`,
    `${images}/b.yaml:3:9: the tools x → z → x require each other in a circle`,
  ]);
});

it("X-06 changes the definition hash with what is built, and with nothing else", async () => {
  const text = "name: tpl-a\nimage: base\npackages: [git]\ntools: [t]\n";
  const tool = { [`${config}/tools/t.yaml`]: "name: t\nrun: [echo 1]\n" };
  const hashOf = async (files: Readonly<Record<string, string>>): Promise<string> =>
    (await written(files).templates.all()).require("tpl-a").definitionHash;
  const hash = await hashOf({ ...tool, [`${images}/a.yaml`]: text });
  const same = `# moved\ntools: [t]\n${text.replace("tools: [t]\n", "")}description: x\ndefault-action: claude\n`;
  expect(await hashOf({ ...tool, [`${images}/other-name.yaml`]: same })).toBe(hash);
  expect(await hashOf({ ...tool, [`${images}/a.yaml`]: text.replace("git", "jq") })).not.toBe(hash);
  const otherTool = { [`${config}/tools/t.yaml`]: "name: t\nrun: [echo 2]\n" };
  expect(await hashOf({ ...otherTool, [`${images}/a.yaml`]: text })).not.toBe(hash);
});
