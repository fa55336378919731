import type { ScreenReading } from "./harness.ts";
import { filledLines, joined, oneLine } from "./screen-lines.ts";

type Dialog = NonNullable<ScreenReading["dialog"]>;

interface Marker {
  readonly state: "dialog" | "startup";
  readonly kind: Dialog["kind"];
  /** What is asked, in the dialog's text joined into one line. */
  readonly question: RegExp;
}

const markers: readonly Marker[] = [
  { state: "startup", kind: "trust", question: /Hooks need review/ },
  { state: "startup", kind: "trust", question: /Trust this folder\?/ },
  { state: "startup", kind: "login", question: /Sign in with ChatGPT/ },
  { state: "dialog", kind: "permission", question: /Would you like to [^?]*\?/ },
  { state: "dialog", kind: "permission", question: /Allow the .+? MCP server to run tool .*?\?/ },
];

// The last lines of every dialog name its keys, where the prompt box has its footer.
const keys =
  /^ {0,3}(?:(?:press )?enter (?:to )?(?:confirm|continue|select|submit|resume)\b|\? help {2}esc back\b)/i;
const keysReach = 2;
/** A line of the conversation; the rows of a dialog are indented or numbered. */
const conversation = /^(?:[•◦■✗✔✓⚠$!] |› (?!\d+\. ))/u;

/** The dialog or menu that took the prompt box's place; undefined when the screen shows none. */
export function codexDialog(lines: readonly string[]): ScreenReading | undefined {
  const filled = filledLines(lines);
  if (!filled.slice(-keysReach).some((line) => keys.test(line))) return undefined;
  const region = filled.slice(filled.findLastIndex((line) => conversation.test(line)) + 1);
  const text = joined(region);
  for (const { state, kind, question } of markers) {
    const asked = question.exec(text)?.[0];
    if (asked !== undefined) return { state, dialog: { kind, quote: oneLine(asked) } };
  }
  return { state: "dialog", dialog: { kind: "menu", quote: oneLine(region[0] ?? "") } };
}
