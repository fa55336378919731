import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { renderLoginEnvironment } from "../src/login-environment.ts";

it("X-06 gives a login shell exactly the values that were written, whatever is in them", () => {
  const value = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""));
  const environment = fc.dictionary(fc.stringMatching(/^V_[A-Z0-9_]{1,8}$/), value, { maxKeys: 4 });
  fc.assert(
    fc.property(environment, (wanted) => {
      const names = Object.keys(wanted);
      const script = `${renderLoginEnvironment(wanted)}\nfor n in "$@"; do printf '%s\\0' "\${!n}"; done`;
      const printed = execFileSync("bash", ["-c", script, "bash", ...names], { encoding: "utf8" });
      expect(printed.split("\0").slice(0, -1)).toEqual(Object.values(wanted));
    }),
    { numRuns: 60, examples: [[{ V_A: `'; id; '\n$(id)\`id\`\\` }]] },
  );
});
