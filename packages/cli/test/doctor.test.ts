import { Failure } from "@agent-control/base";
import { expect, it } from "vitest";
import { type Check, doctorAnswer } from "../src/index.ts";

const fine: Check<string> = {
  name: "name",
  look: (name) => [{ check: "name", level: "warn", message: `It is ${name}`, next: "Change it" }],
};
const broken: Check<string> = {
  name: "thing",
  look: async () => {
    throw new Failure("unavailable", { code: "gone", message: "It is gone", next: "Bring it back" });
  },
};

it("C-05 answers a row for each finding, with its next step, and 0 while nothing is broken", async () => {
  expect(await doctorAnswer([fine], "x")).toEqual({
    json: { ok: true, rows: [{ check: "name", level: "warn", message: "It is x", next: "Change it" }] },
    human: ["warn  name: It is x", "      Change it"],
    exitCode: 0,
  });
});

it("C-05 takes a check that fails for something broken, and goes on with the others", async () => {
  const answer = await doctorAnswer([broken, fine], "x");
  expect(answer).toMatchObject({
    exitCode: 1,
    json: { ok: false, rows: [{ check: "thing", level: "fail", next: "Bring it back" }, { check: "name" }] },
  });
});

it("does not take a bug for a finding", async () => {
  const buggy: Check<string> = {
    name: "bug",
    look: () => {
      throw new TypeError("x");
    },
  };
  await expect(doctorAnswer([buggy], "x")).rejects.toThrow(TypeError);
});
