import { Failure } from "@agent-control/base";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { CommandShape } from "../src/command.ts";
import { parseWords } from "../src/parse-words.ts";
import { createUsageFailures } from "../src/usage-failures.ts";

const shape: CommandShape = {
  arguments: [
    { name: "id", summary: "" },
    { name: "rest", summary: "", optional: true, repeated: true },
  ],
  flags: [
    { name: "name", short: "n", type: "string", value: "NAME", summary: "" },
    { name: "offset", short: "o", type: "number", value: "N", min: -1000, max: 1000, summary: "" },
    { name: "ratio", type: "number", value: "N", min: 0, max: 1, decimals: true, default: 0.5, summary: "" },
    { name: "until", type: "choice", choices: ["idle", "exited"], default: "idle", summary: "" },
    { name: "label", type: "string", value: "TEXT", repeated: true, summary: "" },
    { name: "force", short: "f", type: "boolean", summary: "" },
  ],
  example: "x",
};

function parse(...words: string[]) {
  return parseWords(shape, words, createUsageFailures("p verb"));
}

function codeOf(...words: string[]): string {
  try {
    parse(...words);
  } catch (error) {
    if (error instanceof Failure && error.outcome === "usage") return error.code;
    throw error;
  }
  return "no failure";
}

it("gives defaults, absent values and false when nothing is typed", () => {
  expect(parse("a")).toEqual({
    arguments: { id: "a", rest: [] },
    flags: {
      name: undefined,
      offset: undefined,
      ratio: 0.5,
      until: "idle",
      label: [],
      force: false,
      json: false,
      help: false,
    },
  });
});

it("reads any value after --flag= and any that does not begin with a dash after --flag", () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(parse("a", `--name=${value}`).flags["name"]).toBe(value);
      if (value.startsWith("-") && value !== "-") expect(codeOf("a", "--name", value)).toBe("missing-value");
      else expect(parse("a", "--name", value, "-f").flags).toMatchObject({ name: value, force: true });
    }),
  );
});

it("takes a lone dash as a value, which means standard input", () => {
  expect(parse("-", "--name", "-")).toMatchObject({ arguments: { id: "-" }, flags: { name: "-" } });
});

it("takes every word after -- as an argument", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom("--", "-f", "--name", "--json"))), (words) => {
      const { arguments: given, flags } = parse("--force", "--", "id", ...words);
      expect(given).toEqual({ id: "id", rest: words });
      expect(flags).toMatchObject({ force: true, name: undefined, json: false });
    }),
  );
});

it("reads whole numbers in their range, negative ones too, in every spelling", () => {
  fc.assert(
    fc.property(fc.integer({ min: -2000, max: 2000 }), (number) => {
      const fits = number >= -1000 && number <= 1000;
      for (const words of [
        ["--offset", `${number}`],
        [`--offset=${number}`],
        ["-o", `${number}`],
        [`-o${number}`],
      ]) {
        if (fits) expect(parse("a", ...words).flags["offset"]).toBe(number);
        else expect(codeOf("a", ...words)).toBe("bad-value");
      }
    }),
  );
});

it("never throws anything but a usage failure", () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "--",
      "-",
      "-f",
      "-n",
      "--name",
      "--name=",
      "--offset",
      "-5",
      "--label",
      "--__proto__",
      "--=",
      "-fno5",
    ),
  );
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(typeof codeOf(...words)).toBe("string");
    }),
    { numRuns: 500 },
  );
});

it.each(["1.5", "1e2", "0x10", "", " 1", "NaN", "Infinity", "1,5", "--5"])(
  "refuses %j as a whole number",
  (value) => {
    expect(codeOf("a", `--offset=${value}`)).toBe("bad-value");
  },
);

it("reads decimals where they are meant", () => {
  expect(parse("a", "--ratio", "0.25").flags["ratio"]).toBe(0.25);
  expect(codeOf("a", "--ratio", "1.01")).toBe("bad-value");
});

it("collects a repeated flag and refuses another one given twice", () => {
  expect(parse("a", "--label", "x", "--label=y").flags["label"]).toEqual(["x", "y"]);
  expect(codeOf("a", "--name", "x", "-ny")).toBe("repeated-flag");
  expect(parse("a", "-f", "--force").flags["force"]).toBe(true);
});

it.each([
  ["missing-value", ["a", "--name"]],
  ["missing-value", ["a", "--name", "--json"]],
  ["missing-value", ["a", "--name", "-5"]],
  ["unwanted-value", ["a", "--force=yes"]],
  ["unknown-flag", ["a", "--nope"]],
  ["unknown-flag", ["a", "-x"]],
  ["unknown-flag", ["a", "-5"]],
  ["unknown-flag", ["a", "--no-force"]],
  ["bad-value", ["a", "--until", "done"]],
  ["missing-argument", []],
])("says %s for %j", (code, words) => {
  expect(codeOf(...words)).toBe(code);
});

it("refuses a word too many where no argument takes the rest", () => {
  const one: CommandShape = { arguments: [{ name: "id", summary: "" }], flags: [], example: "x" };
  expect(() => parseWords(one, ["a", "b c"], createUsageFailures("p v"))).toThrow(
    '"b c" is one word too many',
  );
});
