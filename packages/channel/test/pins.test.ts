import { expect, it } from "vitest";
import { checkPins } from "../src/index.ts";
import { person } from "./people.ts";

it("S-13 tells members seen first from members with other keys, either key", () => {
  const [ada, bea, cem] = [person("sess:ada", 1), person("sess:bea", 2), person("sess:cem", 3)];
  const pins = new Map([
    ["sess:ada", ada.keys],
    ["sess:cem", cem.keys],
  ]);
  const swapped = { ...cem.member, boxKey: bea.keys.boxKey };
  const check = checkPins(pins, [ada.member, bea.member, swapped]);
  expect(check.fresh).toEqual([bea.member]);
  expect(check.changed).toEqual([{ member: swapped, pinned: cem.keys }]);
});
