import fc from "fast-check";
import stringWidth from "string-width";
import { expect, it } from "vitest";
import { type Column, renderTable } from "../src/table.ts";

const plain = { columns: Number.POSITIVE_INFINITY, colour: false };
const grapheme = fc.oneof(
  fc.constantFrom(
    "a",
    "-",
    "漢",
    "한",
    "é",
    "e\u0301",
    "👩🏽",
    "🇩🇪",
    "❤️",
    "ｶﾞ",
    "…",
    "\u001b[2J",
    "\n",
    "\u200d",
    "\ud800",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 2 }),
);
const cell = fc.array(grapheme, { maxLength: 30 }).map((parts) => parts.join(""));

it("C-01 no line is wider than the terminal, whatever the cells hold", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }),
      fc.integer({ min: 1, max: 60 }),
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      async (rows, columns, keeps) => {
        const headings = keeps.map((keep, index): Column => ({ heading: `COLUMN ${index}`, keep }));
        const lines = await renderTable(
          { columns: headings, rows, whenEmpty: "Nothing is here" },
          { columns, colour: false },
        );
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines).toHaveLength(rows.length === 0 ? 1 : rows.length + 1);
        expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      },
    ),
    { numRuns: 300 },
  );
});

it("C-01 a column begins at the same place on every line, wide characters or not", async () => {
  const wide = fc.array(fc.constantFrom("a", "漢", "한", "é", "e\u0301", "👩🏽", "🇩🇪", "❤️"), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(wide, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 20, max: 60 }),
      async (names, columns) => {
        const table = {
          columns: [{ heading: "NAME" }, { heading: "|STATE" }],
          rows: names.map((name) => [name.join(""), "|"]),
          whenEmpty: "",
        };
        const lines = await renderTable(table, { columns, colour: false });
        const starts = lines.map((line) => stringWidth(line.slice(0, line.indexOf("|"))));
        expect(new Set(starts).size).toBe(1);
      },
    ),
  );
});

it("C-01 cuts between graphemes, never inside one", async () => {
  const family = "👩🏽";
  const cut = async (columns: number) =>
    (
      await renderTable(
        { columns: [{ heading: "N" }], rows: [[family.repeat(5)]], whenEmpty: "" },
        { columns, colour: false },
      )
    )[1];
  expect(await cut(10)).toBe(family.repeat(5));
  expect(await cut(9)).toBe(`${family.repeat(4)}…`);
  expect(await cut(8)).toBe(`${family.repeat(3)}…`);
  expect(await cut(1)).toBe("…");
});

it("C-01 cuts the widest column first and an id last", async () => {
  const table = {
    columns: [{ heading: "ID", keep: true }, { heading: "DIRECTORY" }, { heading: "STATE" }],
    rows: [["k3f9a2b4c6d8", "/home/someone/a/long/path/to/it", "working"]],
    whenEmpty: "",
  };
  expect(await renderTable(table, { columns: 40, colour: false })).toEqual([
    "ID            DIRECTORY          STATE",
    "k3f9a2b4c6d8  /home/someone/a/…  working",
  ]);
});

it("C-01 leaves out the last columns of a screen that is too narrow for all", async () => {
  const table = {
    columns: [{ heading: "IDENTITY" }, { heading: "DIRECTORY" }, { heading: "STATE" }],
    rows: [["k3f9a2b4c6d8", "/home/someone", "working"]],
    whenEmpty: "",
  };
  expect(await renderTable(table, { columns: 12, colour: false })).toEqual(["IDEN…  DIRE…", "k3f9…  /hom…"]);
});

it("aligns numbers to the right and leaves no blanks at the end of a line", async () => {
  const table = {
    columns: [{ heading: "N", align: "right" as const }, { heading: "NAME" }],
    rows: [
      ["5", ""],
      ["1000", "x"],
    ],
    whenEmpty: "",
  };
  expect(await renderTable(table, plain)).toEqual(["   N  NAME", "   5", "1000  x"]);
});

it("says that there is nothing instead of a lone heading", async () => {
  expect(await renderTable({ columns: [{ heading: "N" }], rows: [], whenEmpty: "No agent" }, plain)).toEqual([
    "No agent",
  ]);
});

it("measures before it paints", async () => {
  const table = {
    columns: [{ heading: "A" }, { heading: "B" }],
    rows: [[{ text: "bad news", tone: "bad" as const }, "x"]],
    whenEmpty: "",
  };
  expect((await renderTable(table, { columns: 80, colour: true }))[1]).toBe(
    "\u001b[31mbad news\u001b[39m  x",
  );
});
