import fc from "fast-check";
import { expect, it } from "vitest";
import { parseDirectives } from "../src/directives.ts";

it("reads every directive in order and skips the text between", () => {
  const prompt = `Please [[wait 20]] then [[drip 5]][[hold gate-1]] [[say two words]]
    [[call Write {"path":"a"}]] [[calls a {"n":1} | b | c {}]] [[last-result]] [[fail 529 2]] [[fail 400]]`;
  expect(parseDirectives(prompt)).toEqual([
    { kind: "wait", ms: 20 },
    { kind: "drip", ms: 5 },
    { kind: "hold", name: "gate-1" },
    { kind: "say", text: "two words" },
    { kind: "calls", calls: [{ tool: "Write", input: { path: "a" } }] },
    {
      kind: "calls",
      calls: [
        { tool: "a", input: { n: 1 } },
        { tool: "b", input: {} },
        { tool: "c", input: {} },
      ],
    },
    { kind: "last-result" },
    { kind: "fail", status: 529, times: 2 },
    { kind: "fail", status: 400, times: Number.POSITIVE_INFINITY },
  ]);
});

it("keeps brackets, braces and quotes inside the strings of an input", () => {
  const input = { text: 'a ]] b [[ c } d { e " f \\', list: [[1], [2]] };
  expect(parseDirectives(`x [[call t ${JSON.stringify(input)}]] y`)).toEqual([
    { kind: "calls", calls: [{ tool: "t", input }] },
  ]);
});

it("leaves a script for another agent inside the input or the text that carries it", () => {
  const worker = '[[call Write {"p":"]]"}]] [[say done]]';
  expect(parseDirectives(`[[call send ${JSON.stringify({ text: worker })}]]`)).toEqual([
    { kind: "calls", calls: [{ tool: "send", input: { text: worker } }] },
  ]);
  expect(parseDirectives("[[say run [[say x]] now]][[say y]]")).toEqual([
    { kind: "say", text: "run [[say x]] now" },
    { kind: "say", text: "y" },
  ]);
});

it("lets a text end in brackets of its own", () => {
  expect(parseDirectives("[[say list [1]]]")).toEqual([{ kind: "say", text: "list [1]" }]);
});

it("takes shell tests and lists for plain text", () => {
  expect(parseDirectives("if [[ -f x ]]; then echo [[1],[2]]; fi")).toEqual([]);
});

it.each([
  ["[[cal t {}]]", "There is no directive [[cal]]."],
  ["[[say never closed", "The directive [[say is not closed."],
  ["[[call ]]", "A [[call …]] names no tool."],
  ['[[call t {"a":}]]', "The input of [[call t …]] is not a JSON object"],
  ['[[call t {"a":1', "The input of [[call t …]] is not a JSON object"],
  ["[[call t {} u {}]]", "[[call t …]] has more behind its input."],
  ["[[call t {} | u {}]]", "[[call t …]] has more behind its input."],
  ["[[wait soon]]", 'The directive [[wait]] needs whole numbers, not "soon".'],
  ["[[fail]]", "The directive [[fail]] needs whole numbers"],
  ["[[hold two words]]", "A [[hold name]] needs one word"],
])("refuses %s with a sentence", (prompt, sentence) => {
  expect(() => parseDirectives(prompt)).toThrow(sentence);
});

it("gives back any input of any calls, whatever stands around them", () => {
  const input = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value)));
  const call = fc.record({ tool: fc.stringMatching(/^[A-Za-z][\w/-]{0,20}$/), input });
  const between = fc.string().map((text) => text.replaceAll("[", "("));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(call, fc.boolean(), between), { maxLength: 5 }),
      between,
      (calls, start) => {
        const prompt = calls.map(([{ tool, input }, indented, after]) => {
          const json = indented ? JSON.stringify(input, null, 2) : JSON.stringify(input);
          return `[[call ${tool} ${json}]]${after}`;
        });
        expect(parseDirectives(start + prompt.join(""))).toEqual(
          calls.map(([{ tool, input }]) => ({ kind: "calls", calls: [{ tool, input }] })),
        );
      },
    ),
  );
});

it("gives back a script that was sent through another script, at any depth", () => {
  const words = fc.stringMatching(/^[\w ]*\w$/).map((text) => text.trim());
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 4 }), (text, depth) => {
      let prompt = `[[say ${text}]]`;
      for (let level = 0; level < depth; level += 1) prompt = `[[call send ${JSON.stringify({ prompt })}]]`;
      for (let level = 0; level < depth; level += 1) prompt = sentPrompt(prompt);
      expect(parseDirectives(prompt)).toEqual([{ kind: "say", text }]);
    }),
  );
});

it("ends on any text, with directives or one sentence", () => {
  const pieces = fc.constantFrom(
    "[[",
    "]]",
    "say ",
    "call ",
    "calls ",
    "t ",
    "{",
    "}",
    '"',
    "\\",
    "|",
    "]",
    "[",
    "x",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      try {
        expect(Array.isArray(parseDirectives(parts.join("")))).toBe(true);
      } catch (error) {
        expect(String(error)).toMatch(/^Error: .*(\.|\]\]\.)$/s);
      }
    }),
    { numRuns: 500 },
  );
});

function sentPrompt(prompt: string): string {
  const [directive] = parseDirectives(prompt);
  return directive?.kind === "calls" ? String(directive.calls[0]?.input.prompt) : "";
}
