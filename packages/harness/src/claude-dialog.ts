import type { ScreenReading } from "./harness.ts";
import { rulesOf } from "./prompt-box.ts";
import { filledLines, joined, oneLine } from "./screen-lines.ts";

type Dialog = NonNullable<ScreenReading["dialog"]>;

interface Marker {
  readonly state: "dialog" | "startup";
  readonly kind: Dialog["kind"];
  readonly text: RegExp;
}

// Tested in this order against the dialog's text, joined into one line.
const markers: readonly Marker[] = [
  { state: "startup", kind: "trust", text: /Yes, I trust th(?:is folder|ese settings)/ },
  { state: "startup", kind: "trust", text: /WARNING: Claude Code running in Bypass Permissions mode/ },
  { state: "startup", kind: "trust", text: /New MCP servers? found in this project/ },
  { state: "startup", kind: "key", text: /Do you want to use this API key\?/ },
  { state: "startup", kind: "update", text: /Try the new fullscreen renderer\?/ },
  { state: "startup", kind: "choice", text: /Let's get started\. Choose the text style/ },
  { state: "dialog", kind: "login", text: /Select login method:/ },
  {
    state: "dialog",
    kind: "permission",
    text: /(?:(?:Do you want|Would you like) to [^?]*\?|Exit plan mode\?).*\b1\. Yes/,
  },
  { state: "dialog", kind: "choice", text: /Enter to select · \S+(?: keys)? to navigate/ },
  { state: "dialog", kind: "menu", text: /^Showing detailed transcript/ },
];
const keysHint =
  /\besc to (?:cancel|close|go back|exit|reject|dismiss)|\benter to (?:confirm|select|continue)/i;
const numberedRow = /^\s*(?:❯ )?\d+\. /u;
const selectedNumber = /^\s*❯ \d+\. /u;

/** The dialog or menu that took the prompt box's place; undefined when the screen shows none. */
export function claudeDialog(lines: readonly string[]): ScreenReading | undefined {
  const region = dialogRegion(lines);
  const text = joined(region);
  const marker = markers.find((candidate) => candidate.text.test(text));
  const asks = keysHint.test(joined(region.slice(-2))) || region.some((line) => selectedNumber.test(line));
  if (!marker && !asks) return undefined;
  const { state, kind } = marker ?? { state: "dialog", kind: "menu" };
  return { state, dialog: { kind, quote: quoteOf(region, text) } };
}

// A dialog opens with a rule over the whole width; a question has a second one above its last, numbered row.
function dialogRegion(lines: readonly string[]): string[] {
  const [earlier, last] = rulesOf(lines)
    .slice(-2)
    .map((index) => filledLines(lines.slice(index + 1)));
  if (last && numberedRow.test(last[0] ?? "")) return earlier ?? last;
  return last ?? earlier ?? filledLines(lines);
}

function quoteOf(region: readonly string[], text: string): string {
  const heading = (region[0] ?? "").trim();
  const known = /(?:Do you want|Would you like) to [^?]*\?/.exec(text)?.[0];
  const question = known ?? region.find((line) => line.trimEnd().endsWith("?"))?.trim();
  return oneLine(question === undefined || question === heading ? heading : `${heading}: ${question}`);
}
