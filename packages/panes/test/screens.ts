const rule = "─".repeat(40);

/** Screens of Claude Code, as far as its reader looks. */
export const claude = {
  idle: [rule, "❯", rule, "  ? for shortcuts"],
  draft: (text: string) => [
    rule,
    ...text.split("\n").map((line, row) => `${row === 0 ? "❯" : " "}\u00a0${line}`),
    rule,
    " ",
  ],
  working: ["✽ Thinking… (3s · ↓ 20 tokens)", rule, "❯", rule, "  esc to interrupt"],
  workingWithDraft: ["✽ Thinking… (3s · ↓ 20 tokens)", rule, "❯\u00a0wait", rule, "  "],
  permission: [
    rule,
    " Bash command",
    "   rm -r build",
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. No",
    " Esc to cancel",
  ],
  menu: [rule, " Permissions", " ❯ 1. Allow", "   2. Deny", " Esc to cancel"],
  trust: [
    rule,
    " Quick safety check",
    " ❯ 1. Yes, I trust this folder",
    "   2. No, exit",
    " Enter to confirm · Esc to cancel",
  ],
  blank: ["", ""],
};

/** Screens of Codex; the cursor stands behind the last character. */
export const codex = {
  idle: ["› "],
  working: ["• Working (3s • esc to interrupt)", "", "› "],
};
