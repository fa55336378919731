import { stableProgram } from "@agent-control/harness/setup";
import { version } from "../version.ts";
import type { Check } from "./check.ts";

const check = "program";

/** isx itself, and whether agents will find it tomorrow. */
export const programCheck: Check = {
  name: check,
  look: ({ machine, facts }) => {
    const { argv, isTemporary } = stableProgram(machine.files, facts.program);
    const message = `isx ${version} on Node.js ${process.versions.node}: ${argv[1]}`;
    if (!isTemporary) return [{ check, level: "ok", message }];
    const next = "Install isx with npm install -g @agent-control/isx: this copy will be gone soon";
    return [{ check, level: "warn", message, next }];
  },
};
