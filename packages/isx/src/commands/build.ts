import { Failure } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import type { BuiltTemplate, TemplateSet } from "@agent-control/instances";
import type { CommandPorts } from "../command-ports.ts";
import { wireBuilds } from "../wire-builds.ts";

export const build = defineCommand({
  description: [
    "Builds templates, their parents first where those are missing or out of date. Without names it needs to know which.",
    "A template's old build stays in use until the new one is complete. A build that fails is kept for a look as <name>-failed-build.",
  ].join("\n\n"),
  arguments: [{ name: "names", summary: "Templates", repeated: true, optional: true }],
  flags: [
    { name: "all", type: "boolean", summary: "Every template" },
    { name: "missing", type: "boolean", summary: "Those that are not built" },
    {
      name: "out-of-sync",
      type: "boolean",
      summary: "Those whose definition or parent is newer than their build",
    },
  ],
  example: "isx build tpl-dev",
  run: async ({ arguments: { names = [] }, flags, signal, progress }, ports: CommandPorts) => {
    const instances = await ports.instances();
    const definitions = await instances.templates.all();
    const chosen = choose(names, flags, { definitions, built: await instances.branching.built(signal) });
    const { build: run } = wireBuilds(ports.machine, instances);
    const done = await progress("Building", (step) =>
      run({
        names: chosen,
        definitions,
        onStep: ({ template, text }) => step(`${template}: ${text}`),
        signal,
      }),
    );
    return {
      json: {
        built: done.map(({ template, durationMs }) => ({ template, duration_ms: Math.round(durationMs) })),
      },
      human:
        done.length === 0
          ? ["Nothing to build"]
          : done.map(({ template, durationMs }) => `Built ${template} in ${Math.ceil(durationMs / 1000)} s`),
    };
  },
});

interface Known {
  readonly definitions: TemplateSet;
  readonly built: ReadonlyMap<string, BuiltTemplate>;
}

interface Choice {
  readonly all: boolean;
  readonly missing: boolean;
  readonly "out-of-sync": boolean;
}

function choose(names: readonly string[], flags: Choice, { definitions, built }: Known): readonly string[] {
  for (const name of names) definitions.require(name);
  const every = [...definitions.templates.keys()];
  const chosen = new Set([
    ...names,
    ...(flags.all ? every : []),
    ...(flags.missing ? every.filter((name) => !built.has(name)) : []),
    ...(flags["out-of-sync"] ? every.filter((name) => built.get(name)?.stale) : []),
  ]);
  if (chosen.size > 0 || flags.all || flags.missing || flags["out-of-sync"]) return [...chosen];
  throw new Failure("usage", {
    code: "nothing-chosen",
    message: "build needs to know which templates",
    next: "Name some, or add --all, --missing or --out-of-sync",
  });
}
