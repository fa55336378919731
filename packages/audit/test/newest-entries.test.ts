import { Failure } from "@agent-control/base";
import { memoryFiles } from "@agent-control/base/testing";
import { expect, it } from "vitest";
import { newestEntries, parseHead, renderHead } from "../src/index.ts";

const path = "/log/control.jsonl";

function logOf(text: string) {
  const files = memoryFiles();
  files.makeDirectory("/log");
  files.write(path, text);
  return { files, path };
}

it("C-30 gives the newest lines, oldest first, and none of a log that is not there", () => {
  expect(newestEntries({ files: memoryFiles(), path }, 5)).toEqual([]);
  expect(newestEntries(logOf('{"seq":1}\n{"seq":2}\n{"seq":3}\n'), 2)).toEqual([{ seq: 2 }, { seq: 3 }]);
});

it("C-30 leaves out a torn line and what is no object", () => {
  expect(newestEntries(logOf('{"seq":1}\nnull\n7\nwhat\n{"seq":2}\n{"se'), 9)).toEqual([
    { seq: 1 },
    { seq: 2 },
  ]);
});

it("C-30 reads only the end of a large log and no half line", () => {
  const line = `${JSON.stringify({ detail: "x".repeat(1000) })}\n`;
  const entries = newestEntries(logOf(line.repeat(1000)), 500);
  expect(entries.length).toBeGreaterThan(200);
  expect(entries.every((entry) => String(entry["detail"]).length === 1000)).toBe(true);
});

it("C-30 reads back the head that it writes, and refuses anything else", () => {
  const head = { seq: 7, hash: "0123456789abcdef".repeat(4) };
  expect(parseHead(renderHead(head))).toEqual(head);
  for (const text of ["", "7", `7:${"g".repeat(64)}`, `-1:${head.hash}`, `${renderHead(head)}\n`]) {
    expect(() => parseHead(text)).toThrow(Failure);
  }
});
