import { shownText } from "@agent-control/base";
import type { Answer } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** The answer as the text for stdout, ending in a newline. */
export async function renderAnswer(answer: Answer, json: boolean, terminal: Terminal): Promise<string> {
  if (json) return renderJson(answer.json, terminal.stdoutIsTerminal);
  const { human } = answer;
  if (typeof human === "string") return ended(human.replace(notLayout, shownText));
  if ("columns" in human) {
    const { renderTable } = await import("./table.ts");
    return joined(await renderTable(human, terminal));
  }
  return joined(human.map(shownText));
}

/** One JSON document; characters that act on a terminal are escaped as JSON escapes them. */
export function renderJson(value: object, indented: boolean): string {
  return `${JSON.stringify(value, null, indented ? 2 : 0).replace(unshownInJson, jsonEscapes)}\n`;
}

// What a text uses for its layout is kept; all other characters are shown as in one line.
const notLayout = /[^\n\t]+/gu;
const unshownInJson =
  /[\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

function jsonEscapes(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
