import { Failure, shownText } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import { isInstanceName, readStamp } from "@agent-control/instances";
import type { CommandPorts } from "../command-ports.ts";
import { openShell } from "../open-shell.ts";
import { requireOwn } from "../own-instance.ts";
import type { InstanceWiring } from "../wire-instances.ts";

export const branch = defineCommand({
  description: [
    "Makes an instance: a copy of a built template, or of a stopped instance.",
    "On a terminal it then opens what the template has as its default action, or with --shell a plain shell. Elsewhere it prints the command that would.",
  ].join("\n\n"),
  arguments: [{ name: "name", summary: "Name of the new instance" }],
  flags: [
    { name: "from", type: "string", value: "NAME", summary: "The template or stopped instance to copy" },
    { name: "airgap", type: "boolean", summary: "Without any network" },
    { name: "proxy-only", type: "boolean", summary: "With a network that reaches nothing but the proxy" },
    { name: "cpu", type: "number", value: "N", min: 1, max: 1024, summary: "Whole CPUs" },
    { name: "memory", type: "string", value: "SIZE", summary: "Memory, e.g. 4GiB" },
    { name: "disk", type: "string", value: "SIZE", summary: "Root disk, e.g. 20GiB" },
    { name: "no-start", type: "boolean", summary: "Leave it stopped" },
    { name: "shell", type: "boolean", summary: "Open a plain shell" },
    { name: "no-shell", type: "boolean", summary: "Open nothing" },
  ],
  example: "isx branch spike --from tpl-dev",
  run: async ({ arguments: { name }, flags, ...invocation }, ports: CommandPorts) => {
    const { signal, warn } = invocation;
    requireTogether(flags);
    if (!isInstanceName(name)) throw badName(name);
    if (name.startsWith("mcp-")) await warn("Names that start with mcp- are for the instances of agents.");
    const instances = await ports.instances();
    const from = await sourceOf(instances, flags.from ?? "", signal);
    const { address, workdir } = await invocation.progress(`Branching ${name}`, (onStep) =>
      instances.branching.branch({
        name,
        from,
        stamp: {},
        limits: limitsOf(flags),
        start: !flags["no-start"],
        ...networkOf(flags),
        onStep,
        signal,
      }),
    );
    const action = flags.shell || flags["no-start"] ? undefined : from.template.merged.defaultAction;
    const opens = !flags["no-start"] && !flags["no-shell"];
    const onTerminal = invocation.stdin.isTerminal && invocation.terminal.stdoutIsTerminal;
    if (opens && onTerminal) return openShell({ ...instances, invocation }, name, { action });
    const human = opens
      ? [`${name} is ready.`, `No shell was opened: run isx shell ${name}`]
      : [`${name} is ready.`];
    return { json: { name, ipv4: address ?? null, workdir }, human };
  },
});

interface Flags {
  readonly airgap: boolean;
  readonly "proxy-only": boolean;
  readonly shell: boolean;
  readonly "no-shell": boolean;
  readonly cpu: number | undefined;
  readonly memory: string | undefined;
  readonly disk: string | undefined;
}

function requireTogether(flags: Flags): void {
  for (const [one, other] of [
    ["airgap", "proxy-only"],
    ["shell", "no-shell"],
  ] as const) {
    if (flags[one] && flags[other]) {
      throw new Failure("usage", {
        code: "flags-exclude",
        message: `--${one} and --${other} do not go together`,
        next: "Leave one of them out",
      });
    }
  }
}

function badName(name: string): Failure {
  return new Failure("usage", {
    code: "bad-name",
    message: `${shownText(name)} cannot be the name of an instance`,
    next: "Use 1 to 63 letters, digits and dashes, the first a letter, the last no dash",
  });
}

function networkOf(flags: Flags): { readonly network?: "airgap" | "proxy-only" } {
  if (flags.airgap) return { network: "airgap" };
  return flags["proxy-only"] ? { network: "proxy-only" } : {};
}

function limitsOf({ cpu, memory, disk }: Flags) {
  return {
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
    ...(disk === undefined ? {} : { disk }),
  };
}

/** A template by its definition, else an instance by what its stamp says it is of. */
async function sourceOf(instances: InstanceWiring, from: string, signal: AbortSignal) {
  if (from === "") throw noSource();
  const set = await instances.templates.all();
  const template = set.templates.get(from);
  if (template !== undefined) return { template };
  const seen = await instances.incus.instances.get(from, signal);
  if (seen === undefined) return { template: set.require(from) };
  const { config } = await requireOwn(instances, from, signal);
  return { instance: from, template: set.require(readStamp(config).profile ?? "") };
}

function noSource(): Failure {
  return new Failure("usage", {
    code: "source-missing",
    message: "branch needs to know what to copy",
    next: "Add --from and the name of a template (isx templates list) or of a stopped instance",
  });
}
