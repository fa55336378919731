import { defineCommand } from "./command.ts";
import { completionScripts } from "./completion-scripts.ts";
import type { ProgramFacts } from "./own-verbs.ts";

/** `completion SHELL`. */
export function completionCommand({ name }: ProgramFacts) {
  return defineCommand({
    description: [
      "The script asks the program itself on every TAB, so that it stays right after an update.",
      `bash: eval "$(${name} completion bash)" in ~/.bashrc.`,
      `zsh: eval "$(${name} completion zsh)" in ~/.zshrc, after compinit.`,
      `fish: ${name} completion fish > ~/.config/fish/completions/${name}.fish`,
    ].join("\n\n"),
    arguments: [{ name: "shell", summary: "The shell", choices: ["bash", "zsh", "fish"] }],
    flags: [],
    example: `${name} completion bash`,
    run: async (invocation) => {
      const { shell } = invocation.arguments;
      const script = completionScripts[shell](name);
      return { json: { shell, script }, human: script };
    },
  });
}
