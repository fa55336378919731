import { expect, it } from "vitest";
import { type HarnessId, harnesses } from "../src/index.ts";
import { capturedScreen, capturedScreens } from "./captured-screens.ts";

const read = (id: HarnessId, name: string) => harnesses[id].readScreen(capturedScreen(id, name));
const without = (id: HarnessId, name: string, part: "title" | "cursor") => {
  const { lines, title, cursor } = capturedScreen(id, name);
  return harnesses[id].readScreen(part === "title" ? { lines, title: "", cursor } : { lines, title });
};
const every = (["codex", "opencode", "pi"] as const).flatMap((id) =>
  capturedScreens(id).map(({ name, state }): [HarnessId, string, string] => [id, name, state]),
);

it.each(every.filter(([, name]) => name !== "working/streaming"))(
  "T-21 %s: %s is read without a title and without a cursor",
  (id, name, state) => {
    expect(without(id, name, "title")).toMatchObject({ state });
    expect(without(id, name, "cursor")).toMatchObject({ state });
  },
);

it("T-21 while Codex streams an answer only its title tells that it works", () => {
  expect(read("codex", "working/streaming")).toEqual({ state: "working" });
  expect(without("codex", "working/streaming", "title")).toEqual({ state: "idle" });
});

it.each<[HarnessId, string, string, string]>([
  ["codex", "dialog/permission-command-80x24", "permission", "Would you like to run the following command?"],
  ["codex", "dialog/permission-mcp-50x50", "permission", 'Allow the probe MCP server to run tool "poke"?'],
  ["codex", "dialog/menu-model-120x40", "menu", "Select Model and Effort"],
  ["codex", "startup/trust-50x50", "trust", "Trust this folder?"],
  ["codex", "startup/hooks-review-80x24", "trust", "Hooks need review"],
  ["codex", "startup/sign-in-50x50", "login", "Sign in with ChatGPT"],
  ["opencode", "dialog/permission-bash-50x50", "permission", "Permission required: Shell command"],
  [
    "opencode",
    "dialog/permission-directory-120x40",
    "permission",
    "Permission required: Access external directory /etc",
  ],
  ["opencode", "dialog/choice-question-50x50", "choice", "Which colour?"],
  ["opencode", "dialog/menu-commands-120x40", "menu", "Commands"],
  ["opencode", "dialog/menu-model-120x40", "menu", "Select model"],
  ["pi", "dialog/menu-login", "menu", "Select authentication method:"],
])("T-19 %s: the dialog of %s is named as %s and quoted", (id, name, kind, quote) => {
  expect(read(id, name).dialog).toEqual({ kind, quote });
});

it.each<[HarnessId, string, string]>([
  ["codex", "draft/cursor-home", "a draft of mine"],
  ["codex", "draft/multi-line", "first line\nsecond line\n\n› fourth line"],
  ["codex", "draft/cjk", "把测试都跑一遍,然后修复失败的"],
  ["codex", "draft/pasted-text", "[Pasted Content 1491 chars]"],
  ["codex", "draft/completion-slash", "/mo"],
  ["codex", "draft/shell", "!ls"],
  ["codex", "working/draft", "more text"],
  ["opencode", "draft/cursor-home", "a draft of mine"],
  ["opencode", "draft/multi-line-typed", "first typed\nsecond ┃ line"],
  ["opencode", "draft/cjk", "把测试都跑一遍,然后修复失败的"],
  ["opencode", "draft/pasted-text", "[Pasted ~400 lines]"],
  ["opencode", "draft/completion-slash", "/mod"],
  ["opencode", "draft/shell", "!ls"],
  ["opencode", "working/draft", "more text"],
  ["pi", "draft/multi-line", "first line\nsecond line\n\n› fourth line"],
  ["pi", "draft/cjk", "把测试都跑一遍,然后修复失败的"],
  ["pi", "draft/pasted-text", "[paste #1 +400 lines]"],
  ["pi", "draft/completion-slash", "/model"],
  ["pi", "draft/shell", "!ls"],
  ["pi", "working/draft", "more text"],
])("T-19 %s: the half-typed text of %s is %j", (id, name, draft) => {
  expect(read(id, name).draft).toBe(draft);
});

it.each<[HarnessId, string, string]>([
  ["codex", "idle/banner-words", "Press enter to confirm or esc to cancel"],
  ["opencode", "idle/banner-words", "△ Permission required"],
  ["opencode", "idle/banner-words", "esc interrupt"],
  ["pi", "idle/banner-box", "draft in a quoted box"],
])("T-21 %s: an answer that quotes its markers (%s) fools nobody", (id, name, words) => {
  expect(capturedScreen(id, name).lines.join("\n")).toContain(words);
  expect(read(id, name)).toEqual({ state: "idle" });
});

it.each<[HarnessId, string, string, string]>([
  ["codex", "idle/first-120x40", "Ask Codex to do anything", "Ask Codex to do anything"],
  ["opencode", "idle/first-120x40", 'Ask anything… "Fix broken tests"', 'Ask anything… "Fix broken tests"'],
])(
  "T-19 %s: text that reads like the placeholder is a draft while the cursor stands behind it",
  (id, name, text) => {
    const { lines, title, cursor } = capturedScreen(id, name);
    const behind = { row: cursor.row, column: cursor.column + text.length };
    expect(harnesses[id].readScreen({ lines, title, cursor: behind })).toEqual({
      state: "draft",
      draft: text,
    });
  },
);

it("T-21 an answer of Codex that quotes its activity line is over once the turn's time stands below it", () => {
  const box = capturedScreen("codex", "idle/after-turn-120x40").lines.slice(-6);
  const quoted = ["• Working (3s • esc to interrupt)", "", "  Worked for 8s • 20:03", ""];
  expect(harnesses.codex.readScreen({ lines: [...quoted, ...box], title: "" })).toEqual({ state: "idle" });
});
