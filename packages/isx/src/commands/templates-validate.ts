import { Failure } from "@agent-control/base";
import { defineCommand } from "@agent-control/cli";
import type { CommandPorts } from "../command-ports.ts";

export const templatesValidate = defineCommand({
  description: "Reads every definition file and says what is wrong, with file, line and column.",
  arguments: [],
  flags: [],
  example: "isx templates validate",
  run: async ({ warn }, ports: CommandPorts) => {
    const { problems, templates } = await (await ports.instances()).templates.all();
    for (const problem of problems) await warn(problem);
    if (problems.length > 0) {
      throw new Failure("error", {
        code: "templates-invalid",
        message:
          problems.length === 1
            ? "One definition is not valid"
            : `${problems.length} definitions are not valid`,
        next: "Correct the files named above",
        details: { problems },
      });
    }
    return {
      json: { valid: true, templates: templates.size },
      human: `${templates.size} templates are valid`,
    };
  },
});
