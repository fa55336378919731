import { expect, it } from "vitest";
import { askLetter, askYesOrNo } from "../src/setup/questions.ts";

function answering(...lines: string[]) {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return lines.shift();
  };
  return { ask, asked };
}

it.each([
  ["y", false, true],
  [" YES ", false, true],
  ["n", true, false],
  ["No", true, false],
  ["", true, true],
  ["", false, false],
])("X-10 reads %j, with %j for Enter, as %j", async (line, otherwise, answer) => {
  const { ask, asked } = answering(line);
  expect(await askYesOrNo(ask, "Sure?", otherwise)).toBe(answer);
  expect(asked).toEqual([`Sure? ${otherwise ? "[Y/n]" : "[y/N]"} `]);
});

it("X-10 asks again for anything else and takes the end of input for no answer", async () => {
  const { ask, asked } = answering("maybe", "constructor", "y");
  expect(await askYesOrNo(ask, "Sure?", false)).toBe(true);
  expect(asked).toHaveLength(3);
  expect(await askYesOrNo(ask, "Sure?", true)).toBeUndefined();
  expect(await askLetter(answering("x", "T").ask, "? ", ["t", "n"])).toBe("t");
  expect(await askLetter(answering("").ask, "? ", ["t", "n"])).toBe("");
});
