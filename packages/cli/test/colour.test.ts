import { expect, it } from "vitest";
import { allowsColour } from "../src/colour.ts";

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "0" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ TERM: "dumb" }, true, false],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "true" }, false, true],
  [{ FORCE_COLOR: "" }, false, false],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "false" }, true, false],
  [{ FORCE_COLOR: "1", TERM: "dumb" }, false, true],
  [{ FORCE_COLOR: "3", NO_COLOR: "1" }, true, false],
])("C-02 with %j and a terminal: %s, colours: %s", (env, isTerminal, expected) => {
  expect(allowsColour(env, isTerminal)).toBe(expected);
});
