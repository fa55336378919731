import { ownProgram } from "../setup/own-program.ts";
import { version } from "../version.ts";
import type { Check } from "./check.ts";

/** This program itself, and whether others will find it tomorrow. */
export const programCheck: Check = {
  name: "program",
  look: ({ machine, facts }) => {
    const { argv, warning } = ownProgram({ machine, facts });
    const [problem, next] = warning?.split(": ") ?? [];
    if (problem !== undefined && next !== undefined)
      return [{ check: "program", level: "warn", message: problem, next }];
    const message = `tongs-agents ${version} on Node.js ${process.versions.node}: ${argv[1]}`;
    return [{ check: "program", level: "ok", message }];
  },
};
