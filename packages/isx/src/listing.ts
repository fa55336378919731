import { shownText } from "@agent-control/base";
import { type Answer, type Cell, renderJson, type Table } from "@agent-control/cli";

/** `--format` of the verbs that list things. */
export const formatFlag = {
  name: "format",
  type: "choice",
  choices: ["table", "plain", "json"],
  default: "table",
  summary: "plain: a line of tab-separated values for each entry",
} as const;

export type Format = (typeof formatFlag.choices)[number];

/** The answer of a listing in the form that was asked for. */
export function listingAnswer(
  format: Format,
  { json, table }: { readonly json: object; readonly table: Table },
): Answer {
  if (format === "json") return { json, human: renderJson(json, false) };
  return { json, human: format === "plain" ? table.rows.map(plainLine) : table };
}

// A tab or newline in a value would make another column or line.
function plainLine(row: readonly Cell[]): string {
  return row.map((cell) => shownText(typeof cell === "string" ? cell : cell.text)).join("\t");
}
