import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { completeWords } from "../src/completion.ts";
import { verbsOf } from "../src/verbs.ts";
import { builtFleet } from "./built-fleet.ts";
import { fleetProgram } from "./fixtures/fleet.ts";

const fleet = builtFleet();

async function values(words: readonly string[], names?: readonly string[]) {
  const offered = await completeWords(verbsOf(fleetProgram(names)), words);
  return offered === "files" ? offered : offered.map(({ value }) => value);
}

it.each([
  [["wa"], ["wait"]],
  [
    ["audit", ""],
    ["verify", "show"],
  ],
  [["a"], ["audit"]],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [
    ["wait", ""],
    ["k3f", "m8x"],
  ],
  [["wait", "m"], ["m8x"]],
  [["wait", "k3f", ""], []],
  [
    ["wait", "--until", "idle", ""],
    ["k3f", "m8x"],
  ],
  [
    ["wait", "--until", ""],
    ["idle", "exited"],
  ],
  [["wait", "--until=e"], ["--until=exited"]],
  [["wait", "--log", ""], "files"],
  [["wait", "--d"], ["--dry-run"]],
  [["wait", "--dry-run", "--d"], []],
  [
    ["wait", "--label", "x", "--l"],
    ["--label", "--log"],
  ],
  [["wait", "--", "--d"], []],
  [["nope", ""], []],
  [["secr"], []],
])("C-03 completes %j with %j", async (words, expected) => {
  expect(await values(words)).toEqual(expected);
});

it("C-03 offers no value that a shell would tear apart", async () => {
  expect(await values(["wait", ""], ["a b", "c\nd", "e\tf", "fine"])).toEqual(["fine"]);
});

it("C-03 the bash script loads and completes, also after an equals sign", async () => {
  await loads("bash");
  const { stdout, stderr } = await fleet.shell(`
    eval "$(fleet completion bash)"
    try() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _fleet_complete; echo "\${COMPREPLY[*]}"; }
    try fleet wa
    try fleet wait k3f --until ''
    try fleet wait k3f --until =
    try fleet wait k3f --until = i
    try fleet wait --dry-run --t
    complete -p fleet`);
  expect(stderr).toBe("");
  expect(stdout).toBe(
    ["wait", "idle exited", "idle exited", "idle", "--timeout", "complete -F _fleet_complete fleet", ""].join(
      "\n",
    ),
  );
});

it.skipIf(missing("fish"))("C-03 the fish script loads and completes", async () => {
  await loads("fish");
  const { stdout } = await fleet.shell(
    `fleet completion fish | source
     complete -C "fleet wai"; complete -C "fleet wait k3f --until e"; complete -C "fleet wait --log /etc/hostn"`,
    ["fish", "-c"],
  );
  expect(stdout).toBe("wait\tWait until an agent is idle\nexited\n/etc/hostname\n");
});

it.skipIf(missing("zsh"))("C-03 the zsh script loads and completes", async () => {
  await loads("zsh");
  const { stdout, stderr } = await fleet.shell(
    `compdef() { print "registered $*" }
     _describe() { print -l -- "\${(@P)\${@[-1]}}" }
     _files() { print files }
     eval "$(fleet completion zsh)"
     words=(fleet wai) CURRENT=2; _fleet_complete
     words=(fleet wait k3f --until '') CURRENT=5; _fleet_complete
     words=(fleet wait --log '') CURRENT=4; _fleet_complete`,
    ["zsh", "-fc"],
  );
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([
    "registered _fleet_complete fleet",
    "wait:Wait until an agent is idle",
    "idle:",
    "exited:",
    "files",
    "",
  ]);
});

it.skipIf(missing("zsh"))("C-03 zsh completes a word on TAB", async () => {
  const functions = join(fleet.directory, "functions");
  mkdirSync(functions);
  writeFileSync(join(functions, "_fleet"), (await fleet.run(["completion", "zsh"])).stdout);
  const { stdout } = await fleet.shell(
    `zmodload zsh/zpty
     zpty shell zsh -f
     zpty -w shell "PS1=; fpath=(${functions} \\$fpath); autoload -U compinit; compinit -u -D; stty cols 200"
     zpty -wn shell $'fleet wait k3f --unt\\texi\\t--json\\n'
     zpty -r shell answer '*"timeout"*'
     print -r -- "$answer"`,
    ["zsh", "-fc"],
  );
  expect(stdout).toContain('"until": "exited"');
});

/** The shell finds no fault in the syntax of its script. */
async function loads(shell: string): Promise<void> {
  const { stdout } = await fleet.run(["completion", shell]);
  const file = join(fleet.directory, `script.${shell}`);
  writeFileSync(file, stdout);
  const checked = spawnSync(shell, ["-n", file], { encoding: "utf8" });
  expect({ stderr: checked.stderr, status: checked.status }).toEqual({ stderr: "", status: 0 });
}

function missing(shell: string): boolean {
  const isMissing = spawnSync(shell, ["-c", ":"]).error !== undefined;
  if (isMissing) console.warn(`skipped: ${shell} is not installed here`);
  return isMissing;
}
