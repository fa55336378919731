import { Failure } from "@agent-control/base";
import type { Program } from "./command.ts";
import { findVerb } from "./find-verb.ts";
import { type Host, withInteraction } from "./interaction.ts";
import { createOutput, type Output } from "./output.ts";
import { parseWords } from "./parse-words.ts";
import { renderAnswer } from "./render-answer.ts";
import { reportFailure } from "./report-failure.ts";
import { asksForJson, helpRequest } from "./standard-flags.ts";
import { describeTerminal } from "./terminal.ts";
import { createUsageFailures } from "./usage-failures.ts";
import { type Verb, verbsOf } from "./verbs.ts";

/**
 * Runs one command line and resolves to its exit code once every byte is written; never throws. Besides the
 * program's verbs it answers `--version`, `--help`, `help VERB`, `completion SHELL` and `man-page`. Without a
 * verb it prints the help on stdout and exits 2, as git and npm do with 1.
 */
export async function runProgram<Ports>(program: Program<Ports>, host: Host): Promise<number> {
  const output = createOutput(program.name, host.stdout, host.stderr);
  const reporting = { program: program.name, output };
  try {
    return await answerWords(program, host, output);
  } catch (error) {
    // A failure that cannot be written to stdout is reported once more, on stderr alone.
    return reportFailure(error, { ...reporting, json: asksForJson(host.argv) }).catch((second) =>
      reportFailure(second, { ...reporting, json: false }),
    );
  }
}

async function answerWords<Ports>(program: Program<Ports>, host: Host, output: Output): Promise<number> {
  const { argv } = host;
  requireUtf8(argv);
  if (argv[0] === "--version") {
    await output.answer(`${program.name} ${program.version}\n`);
    return 0;
  }
  const verbs = verbsOf(program);
  const asked = helpRequest(argv);
  if (!asked) return runVerb(program.name, verbs, host, output);
  const { renderHelp } = await import("./help.ts");
  await output.answer(await renderHelp(program, verbs, { words: asked, ...describeTerminal(host) }));
  return argv.length === 0 ? 2 : 0;
}

async function runVerb(program: string, verbs: readonly Verb[], host: Host, output: Output): Promise<number> {
  const { verb, rest } = findVerb(program, verbs, host.argv);
  const command = await verb.load();
  const words = parseWords(command, rest, createUsageFailures(`${program} ${verb.name}`));
  const terminal = describeTerminal(host);
  const answer = await withInteraction(host, { output, terminal }, (interaction) =>
    command.run({ ...interaction, ...words }, undefined),
  );
  if (!answer) return 0;
  await output.answer(await renderAnswer(answer, words.flags["json"] === true, terminal));
  return answer.exitCode ?? 0;
}

// Node has already replaced bytes that are not UTF-8, so what was typed is lost: acting on it would be wrong.
function requireUtf8(argv: readonly string[]): void {
  const index = argv.findIndex((word) => word.includes("\ufffd"));
  if (index < 0) return;
  throw new Failure("usage", {
    code: "argument-not-utf8",
    message: `Argument ${index + 1} ("${argv[index]?.slice(0, 60)}") is not valid UTF-8`,
    next: "Type it as UTF-8, or give text through standard input where the verb reads it",
  });
}
