import { describe, expect, it } from "vitest";
import { harnesses, type ScreenSeen } from "../src/index.ts";
import { type CapturedScreen, capturedScreen, capturedScreens } from "./captured-screens.ts";

const { claude } = harnesses;
const screens = capturedScreens("claude");
const read = (name: string) => claude.readScreen(capturedScreen("claude", name));
const endsCut = ({ screen }: CapturedScreen): ScreenSeen => ({
  ...screen,
  lines: screen.lines.map((line) => line.trimEnd()),
});

describe("T-21 the state on a real screen of Claude Code", () => {
  it.each(screens)("is read from $name", ({ screen, state }) => {
    expect(claude.readScreen(screen)).toMatchObject({ state });
  });

  it.each(screens)("is read from $name when the ends of its lines are cut", (captured) => {
    expect(claude.readScreen(endsCut(captured))).toMatchObject({ state: captured.state });
  });

  it.each(screens)("is read from $name without title and cursor", ({ screen, state }) => {
    expect(claude.readScreen({ lines: screen.lines, title: "" })).toMatchObject({ state });
  });
});

it.each([
  ["dialog/permission-bash-120x40", "permission", "Bash command: Do you want to proceed?"],
  ["dialog/permission-bash-50x50", "permission", "Bash command: Do you want to proceed?"],
  ["dialog/v197-permission-bash", "permission", "Bash command: Do you want to proceed?"],
  ["dialog/permission-edit-120x40", "permission", "Edit file: Do you want to make this edit to notes.txt?"],
  ["dialog/permission-write", "permission", "Create file: Do you want to create new.txt?"],
  ["dialog/permission-webfetch", "permission", "Fetch: Do you want to allow Claude to fetch this content?"],
  [
    "dialog/permission-from-subagent",
    "permission",
    "Bash command · from the general-purpose agent: Do you want to proceed?",
  ],
  ["dialog/fullscreen-permission", "permission", "Bash command: Do you want to proceed?"],
  ["dialog/choice-plan", "permission", "Exit plan mode?"],
  ["dialog/choice-ask-user", "choice", "☐ Colour: Which colour?"],
  ["dialog/choice-ask-user-two", "choice", "← ☐ Colour ☐ Size ✔ Submit →: Which colours?"],
  ["dialog/menu-model-120x40", "menu", "Select model"],
  ["dialog/menu-model-50x50", "menu", "Select model"],
  ["dialog/v197-menu-model", "menu", "Select model"],
  ["dialog/menu-permissions-120x40", "menu", /^Permissions /],
  ["dialog/v197-menu-permissions", "menu", /^Permissions /],
  ["dialog/menu-config", "menu", /Config/],
  ["dialog/rewind-menu", "menu", "Rewind"],
  ["dialog/transcript-ctrl-o", "menu", /^Showing detailed transcript/],
  ["dialog/history-search", "menu", /^search prompts:/],
  ["dialog/login", "login", "Login"],
  ["startup/trust-120x40", "trust", /^Accessing workspace:/],
  ["startup/trust-50x50", "trust", /^Accessing workspace:/],
  ["startup/v197-startup-trust", "trust", /^Accessing workspace:/],
  ["startup/bypass-120x40", "trust", /^WARNING: Claude Code running in Bypass Permissions mode/],
  ["startup/bypass-50x50", "trust", /^WARNING: Claude Code running in Bypass/],
  ["startup/mcp-server", "trust", "New MCP server found in this project: probe"],
  ["startup/key", "key", /Do you want to use this API key\?$/],
  ["startup/fullscreen-renderer", "update", "Try the new fullscreen renderer?"],
  ["startup/theme", "choice", /./],
])("T-19 the dialog of %s is named as %s and quoted", (name, kind, quote) => {
  const { dialog } = read(name);
  expect(dialog?.kind).toBe(kind);
  expect(dialog?.quote).toMatch(quote);
  expect(dialog?.quote.length).toBeLessThanOrEqual(200);
});

it.each([
  ["draft/120x40", "a draft of mine"],
  ["draft/cursor-home", "a draft of mine"],
  ["draft/cjk", "把测试都跑一遍,然后修复失败的"],
  ["draft/pasted-text", "[Pasted text #2 +59 lines]"],
  ["draft/multi-line-typed", "first line\nsecond line\n\n❯ fourth line"],
  ["draft/shell", "!ls"],
  ["draft/same-as-suggestion", "ok then"],
  ["draft/after-escape-prompt-back", "<<SLOW 9000>> long"],
  ["draft/completion-slash-mo", "/mo"],
  ["draft/vim-normal-draft", "abc"],
  ["working/draft-auto-mode", "a draft"],
  ["working/queued-draft", "third"],
  ["working/v197-working-draft", "more"],
])("T-19 the half-typed text of %s is %j", (name, draft) => {
  expect(read(name).draft).toBe(draft);
});

it.each([
  "idle/placeholder-try",
  "idle/placeholder-suggestion",
  "idle/placeholder-suggestion-auto-mode-80x24",
  "idle/api-error-120x40",
  "working/queued-120x40",
  "working/v197-queued",
])("T-19 Claude Code's own text in the box of %s is no draft", (name) => {
  expect(read(name).draft).toBeUndefined();
});

it("T-19 without a hint in the footer the cursor tells a suggested prompt from a draft", () => {
  const { lines, ...screen } = capturedScreen("claude", "idle/placeholder-suggestion-auto-mode-80x24");
  const withoutHint = lines.map((line) => line.replace(" · ← for agents", ""));
  expect(claude.readScreen({ ...screen, lines: withoutHint })).toEqual({ state: "idle" });
  const cursor = { row: screen.cursor.row, column: 9 };
  const typed = { state: "draft", draft: "ok then" };
  expect(claude.readScreen({ ...screen, lines: withoutHint, cursor })).toEqual(typed);
  expect(claude.readScreen({ lines: withoutHint, title: screen.title })).toEqual(typed);
});

it("T-19 a draft that reads like a placeholder is a draft while the cursor stands behind it", () => {
  const { lines, title, cursor } = capturedScreen("claude", "draft/120x40");
  const changed = lines.map((line) => line.replace("a draft of mine", 'Try "it"'));
  expect(claude.readScreen({ lines: changed, title, cursor })).toEqual({ state: "draft", draft: 'Try "it"' });
});

it("a row of a dialog between two rules is no prompt box", () => {
  const rule = "─".repeat(40);
  const lines = [
    rule,
    "❯ 1. Red",
    "  2. Blue",
    rule,
    "  3. Chat about this",
    "Enter to select · Esc to cancel",
  ];
  expect(claude.readScreen({ lines, title: "" })).toMatchObject({ state: "dialog" });
});

it("T-21 an answer that quotes the working footer and a permission dialog fools nobody", () => {
  const text = capturedScreen("claude", "idle/banner-words").lines.join("\n");
  expect(text).toContain("esc to interrupt");
  expect(text).toContain("❯ 1. Yes");
  expect(read("idle/banner-words")).toEqual({ state: "idle" });
});

it("T-21 an answer that draws a prompt box with a draft fools nobody", () => {
  expect(capturedScreen("claude", "idle/banner-box").lines.join("\n")).toContain("❯ draft in a quoted box");
  expect(read("idle/banner-box")).toEqual({ state: "idle" });
});

it.each(screens.filter(({ name }) => /^dialog\/(v197-)?permission/.test(name)))(
  "T-19 the dialog of $name is a permission also where its upper lines are off a small screen",
  ({ screen: { lines, title } }) => {
    const question = lines.findIndex((line) => line.includes("Do you want"));
    for (let first = 0; first <= question; first += 1) {
      const reading = claude.readScreen({ lines: lines.slice(first), title });
      expect(reading).toMatchObject({ state: "dialog", dialog: { kind: "permission" } });
      expect(reading.dialog?.quote).toMatch(/Do you want to .*\?$/);
    }
  },
);

it("a shell after Claude Code has left is unknown, also with a prompt that looks like its box", () => {
  const lines = ["Resume this session with:", "claude --resume 0f1e", "", "❯ "];
  expect(claude.readScreen({ lines, title: "" })).toEqual({ state: "unknown" });
});

it("an empty screen is unknown", () => {
  expect(claude.readScreen({ lines: [], title: "" })).toEqual({ state: "unknown" });
  expect(claude.readScreen({ lines: Array(40).fill(""), title: "" })).toEqual({ state: "unknown" });
});
