import fc from "fast-check";
import { expect, it } from "vitest";
import { leadingFields } from "../src/leading-fields.ts";

it("T-30 reads the text fields before the cut and none that the cut went through", () => {
  const text =
    '{ "session_id":"a\\"b\\u00e9" , "n": 1,"tool_input":{"cwd":"no",":":["}",{}]},"cwd":"/x","prompt":"lo';
  expect(leadingFields(text)).toEqual({ session_id: 'a"bé', cwd: "/x" });
});

it.each([
  "",
  "null",
  "[",
  '["session_id","x"',
  '"session_id":"x"',
  '{session_id:"x"',
  "{",
  '{"a"',
  '{"a":',
  '{"a" "b"',
])("T-30 reads nothing of %j", (text) => {
  expect(leadingFields(text)).toEqual({});
});

it("T-30 reads of any object, cut anywhere, only fields that are in it, and all once it is whole", () => {
  const objects = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(objects, fc.nat(), fc.boolean(), (object, seed, indented) => {
      const text = JSON.stringify(object, null, indented ? 2 : 0);
      const whole = JSON.parse(text) as Record<string, unknown>;
      const strings = Object.fromEntries(
        Object.entries(whole).filter(([, value]) => typeof value === "string"),
      );
      expect(leadingFields(text)).toEqual(strings);
      expect(strings).toMatchObject(leadingFields(text.slice(0, seed % (text.length + 1))));
    }),
  );
});

it("T-30 reads 64 KiB of any shape in milliseconds", () => {
  const started = performance.now();
  for (const filler of ["[", '"', "\\", '{"a":', " ", '"a":"b",', '"a":[],'])
    leadingFields(`{${filler.repeat(64 * 1024)}`);
  expect(performance.now() - started).toBeLessThan(2_000);
});
