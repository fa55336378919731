import { expect, it } from "vitest";
import { type HarnessId, harnesses } from "../src/index.ts";

const rule = "─".repeat(60);

// Lines as measured on Codex 0.171.0, opencode 1.18.33 and Pi 0.73.1; not whole captured screens.
const cases: [HarnessId, string, string[], string][] = [
  ["codex", "idle", ["• Hello.", "", "› Ask Codex to do anything", "", "  ? for shortcuts"], "idle"],
  ["codex", "a draft", ["› fix the tests", "", "  footer"], "draft"],
  [
    "codex",
    "working",
    ["› go", "", "• Working (3s • esc to interrupt)", "", "› Ask Codex to do anything"],
    "working",
  ],
  [
    "codex",
    "an answer with the working words far above",
    ["• Working (3s • esc to interrupt)", "1", "2", "3", "4", "5", "6", "", "› Ask Codex to do anything"],
    "idle",
  ],
  [
    "codex",
    "a permission",
    ["Would you like to run the following command?", "› 1. Yes", "  Press enter to confirm or esc to cancel"],
    "dialog",
  ],
  [
    "codex",
    "an MCP permission",
    ['Allow the probe MCP server to run tool "x"?', "› 1. Allow", "Press enter to confirm or esc to cancel"],
    "dialog",
  ],
  ["codex", "the trust dialog", ["Trust this folder?", "› 1. Yes", "  Press enter to continue"], "startup"],
  ["codex", "the hook review", ["Hooks need review", "› 1. Review"], "startup"],
  ["codex", "a shell", ["$ "], "unknown"],
  ["opencode", "the first screen", ["", "┃ Ask anything…", "", "/tmp/demo"], "idle"],
  ["opencode", "working", ["┃", "■■⬝⬝ esc interrupt"], "working"],
  ["opencode", "working after one Escape", ["┃", "■■⬝⬝ esc again to interrupt"], "working"],
  ["opencode", "a retry", ["stub 500 [retrying in 4s attempt #2]", "┃", "footer"], "working"],
  ["opencode", "a permission", ["△ Permission required", "x", "Allow once  Allow always  Reject"], "dialog"],
  ["opencode", "after a turn", ["done", "┃", "build  stub-model"], "unknown"],
  ["pi", "idle", ["escape interrupt", "hi", rule, "", rule, "(auto)   (stub) stub-model"], "idle"],
  ["pi", "a draft", [rule, "fix the tests", rule, "(auto)"], "draft"],
  ["pi", "working", ["escape interrupt", "⠏ Working...", "", rule, "", rule, "(auto)"], "working"],
  ["pi", "a shell", ["$ "], "unknown"],
  ["none", "anything", ["❯ "], "unknown"],
];

it.each(cases)("T-21 %s: %s", (id, _name, lines, state) => {
  expect(harnesses[id].readScreen({ lines, title: "" })).toMatchObject({ state });
});

it("T-21 Codex's changing examples are no draft while the cursor stands before them", () => {
  const lines = ["› Explain this codebase", "", "  footer"];
  const at = (column: number) => harnesses.codex.readScreen({ lines, title: "", cursor: { row: 0, column } });
  expect(at(2)).toEqual({ state: "idle" });
  expect(at(23)).toEqual({ state: "draft", draft: "Explain this codebase" });
});

it("T-19 the dialogs of Codex and opencode are quoted", () => {
  const codex = [
    "Would you like to run the following command?",
    "› 1. Yes",
    "Press enter to confirm or esc to cancel",
  ];
  expect(harnesses.codex.readScreen({ lines: codex, title: "" }).dialog).toEqual({
    kind: "permission",
    quote: "Would you like to run the following command?",
  });
});
