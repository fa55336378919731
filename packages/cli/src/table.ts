import { shownText } from "@agent-control/base";
import { createPaint, type Paint, type Tone } from "./colour.ts";
import { type Ruler, rulerFor } from "./width.ts";

/** Rows for people. */
export interface Table {
  readonly columns: readonly Column[];
  /** One cell for each column. */
  readonly rows: readonly (readonly Cell[])[];
  /** Printed when there are no rows, e.g. `No agent is running`. */
  readonly whenEmpty: string;
}

export interface Column {
  readonly heading: string;
  readonly align?: "left" | "right";
  /** Cut last, for ids and other values a person copies. */
  readonly keep?: boolean;
}

export type Cell = string | { readonly text: string; readonly tone: Tone };

interface Screen {
  /** Infinity: nothing is cut. */
  readonly columns: number;
  readonly colour: boolean;
}

const gap = "  ";
const readableWidth = 4;

/**
 * The table as lines, none wider than the screen: columns are cut with `…`, widest first, and on a very narrow
 * screen the last ones are left out. Control characters are shown escaped.
 */
export async function renderTable(table: Table, screen: Screen): Promise<string[]> {
  const texts = [table.columns.map(({ heading }) => heading), ...table.rows.map((row) => row.map(textOf))];
  const shown = texts.map((row) => row.map(visible));
  const ruler = await rulerFor([...shown.flat(), table.whenEmpty]);
  if (table.rows.length === 0) return [ruler.cut(visible(table.whenEmpty), screen.columns)];
  const widths = fit(naturalWidths(shown, ruler), table.columns, screen.columns);
  const paint = createPaint(screen.colour);
  return shown.map((row, index) => {
    const tones =
      index === 0 ? table.columns.map(() => "heading" as const) : table.rows[index - 1]?.map(toneOf);
    return renderRow(row, { columns: table.columns, widths, ruler, paint, tones: tones ?? [] });
  });
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function toneOf(cell: Cell): Tone | undefined {
  return typeof cell === "string" ? undefined : cell.tone;
}

function visible(text: string): string {
  // Half a surrogate pair would be written as the replacement character, which has a width.
  return shownText(text).replace(/\p{Surrogate}/gu, "\ufffd");
}

function naturalWidths(rows: readonly (readonly string[])[], ruler: Ruler): number[] {
  const headings = rows[0] ?? [];
  return headings.map((_, column) => Math.max(...rows.map((row) => ruler.width(row[column] ?? ""))));
}

function fit(natural: readonly number[], columns: readonly Column[], available: number): number[] {
  const widths = natural.map((width) => Math.min(width, available));
  const least = widths.length === 1 ? 1 : readableWidth;
  shrink(widths, available, (column) => columns[column]?.keep !== true && widthAt(widths, column) > least);
  shrink(widths, available, (column) => widthAt(widths, column) > least);
  if (widths.length > 1 && total(widths) > available) return fit(natural.slice(0, -1), columns, available);
  return widths;
}

function shrink(widths: number[], available: number, may: (column: number) => boolean): void {
  while (total(widths) > available) {
    const candidates = widths.map((_, column) => column).filter(may);
    if (candidates.length === 0) return;
    const widest = candidates.reduce((a, b) => (widthAt(widths, b) > widthAt(widths, a) ? b : a));
    widths[widest] = widthAt(widths, widest) - 1;
  }
}

function widthAt(widths: readonly number[], column: number): number {
  return widths[column] ?? 0;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);
}

interface Layout {
  readonly columns: readonly Column[];
  readonly widths: readonly number[];
  readonly ruler: Ruler;
  readonly paint: Paint;
  readonly tones: readonly (Tone | undefined)[];
}

function renderRow(row: readonly string[], { columns, widths, ruler, paint, tones }: Layout): string {
  const cells = widths.map((width, column) => {
    const text = ruler.cut(row[column] ?? "", width);
    const padding = " ".repeat(width - ruler.width(text));
    const painted = text === "" ? "" : paint(text, tones[column]);
    if (columns[column]?.align === "right") return padding + painted;
    return column === widths.length - 1 ? painted : painted + padding;
  });
  return cells.join(gap).trimEnd();
}
