import { afterEach, beforeEach, expect, it } from "vitest";
import { everythingPassed, runSuite, suiteProblem } from "../shared/conformance.ts";
import { createPlace, type Place, serverArgv } from "./world.ts";

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.close());

it("C-20 passes the conformance suite's generic scenarios of both eras and the Inspector's strict lint", {
  timeout: 900_000,
}, async (context) => {
  const problem = suiteProblem();
  if (problem !== undefined && process.env["CI"] !== "true") return context.skip(problem);
  expect(problem).toBeUndefined();
  place.writeMcp(
    "templates: [tpl-java]\nhost-tools:\n  inventory:\n    command: ls\n    description: What is there\n",
  );
  const variables = Object.entries(place.env).map(([name, value]) => `${name}=${value}`);
  expect(await runSuite(["/usr/bin/env", ...variables, ...serverArgv])).toEqual(everythingPassed);
});
