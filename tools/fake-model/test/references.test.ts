import { expect, it } from "vitest";
import { fillReferences, fillText } from "../src/references.ts";
import type { Position } from "../src/turns.ts";

const at = (...results: string[]): Position => ({
  prompt: "",
  earlierPrompts: 0,
  results,
  lastResult: results.at(-1),
});

it("takes values out of the newest result and keeps their type when they stand alone", () => {
  const position = at('{"id":"old"}', '{"id":"w1","rows":[{"n":7}],"on":true}');
  expect(
    fillReferences(
      { id: "{{result.id}}", n: "{{ result.rows.0.n }}", list: ["n is {{result.rows.0.n}}"] },
      position,
    ),
  ).toEqual({ id: "w1", n: 7, list: ["n is 7"] });
  expect(fillText("{{result.rows}}", position)).toBe('[{"n":7}]');
});

it("reaches older results of the same prompt by number", () => {
  expect(fillText("{{results.0.id}} {{results.1.id}}", at('{"id":"a"}', '{"id":"b"}'))).toBe("a b");
});

it("gives the whole text of a result that is not JSON", () => {
  expect(fillText("got: {{result}}", at("plain words"))).toBe("got: plain words");
});

it("reads the JSON behind the lines that Codex puts before it", () => {
  expect(fillText("{{result.id}}", at('Wall time: 0.1 seconds\nOutput:\n{"id":"w1"}'))).toBe("w1");
});

it("does not fill a reference inside a script for another agent", () => {
  const text = "{{result.id}} [[say {{result.id}} [[say {{result.id}}]]]] {{result.id}}";
  expect(fillText(text, at('{"id":"w1"}'))).toBe("w1 [[say {{result.id}} [[say {{result.id}}]]]] w1");
});

it.each([
  ["{{result.id}}", at(), "There is no tool result for {{result.id}}."],
  ["{{results.3}}", at("{}"), "There is no tool result for {{results.3}}."],
  ["{{result.id}}", at('{"di":1}'), "The tool result has nothing at {{result.id}}."],
  ["{{result.id}}", at("no json"), "The tool result has nothing at {{result.id}}."],
])("says so when %s finds nothing", (text, position, sentence) => {
  expect(() => fillText(text, position)).toThrow(sentence);
});
