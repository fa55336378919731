import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createLineReader } from "../src/lines.ts";

function collect(limit: number) {
  const lines: string[] = [];
  let tooLong = 0;
  const reader = createLineReader(limit, {
    onLine: (line) => lines.push(Buffer.from(line).toString("latin1")),
    onTooLong: () => {
      tooLong += 1;
    },
  });
  return { lines, reader, tooLong: () => tooLong };
}

it("C-24 reads the same lines however the bytes are cut", () => {
  const bytes = fc.array(fc.constantFrom(0x0a, 0x0d, 0x00, 0x61, 0xff), { maxLength: 60 });
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(60), { maxLength: 8 }), (content, cuts) => {
      const { lines, reader } = collect(100);
      const whole = Buffer.from(content);
      let start = 0;
      for (const cut of [...cuts, whole.length].sort((a, b) => a - b)) {
        reader.push(whole.subarray(start, cut));
        start = Math.min(cut, whole.length);
      }
      expect(lines).toEqual(whole.toString("latin1").split("\n").slice(0, -1));
    }),
  );
});

it("C-24 takes a line as long as the limit and gives up on one byte more", () => {
  const exact = collect(5);
  exact.reader.push(Buffer.from("12345\n"));
  expect(exact.lines).toEqual(["12345"]);

  const over = collect(5);
  over.reader.push(Buffer.from("ok\n123456"));
  over.reader.push(Buffer.from("\nnever\n"));
  expect(over.lines).toEqual(["ok"]);
  expect(over.tooLong()).toBe(1);
});

it("C-24 holds a line that comes byte by byte in bounded memory", () => {
  const { reader, lines } = collect(2_000_000);
  const before = process.memoryUsage().arrayBuffers;
  const byte = Buffer.from("x");
  for (let count = 0; count < 1_500_000; count += 1) reader.push(byte);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  reader.push(Buffer.from("\n"));
  expect(lines[0]).toHaveLength(1_500_000);
});
