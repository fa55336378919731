import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ClaudeRoom, claude, makeClaudeRoom } from "./claude-room.ts";

vi.setConfig({ testTimeout: 60_000 });

let room: ClaudeRoom;
beforeEach(async () => {
  room = await makeClaudeRoom({ settings: { permissions: { allow: ["Bash(touch allowed)"] } } });
});
afterEach(async () => {
  await stopClaude();
  await room.close();
});

it("starts Claude Code without a dialog, takes a pasted prompt and asks before it acts", async () => {
  startClaude();
  await shows(/^❯\s*$/m, /\? for shortcuts/);

  await send('[[call Bash {"command":"touch allowed","description":"make a file"}]][[say first done]]');
  await shows(/● first done/);
  expect(existsSync(join(room.projectDir, "allowed"))).toBe(true);

  await send('[[call Bash {"command":"touch asked","description":"make a file"}]][[say second done]]');
  await shows(/Do you want to proceed\?/, /❯ 1\. Yes/);
  expect(existsSync(join(room.projectDir, "asked"))).toBe(false);
  await approve();
  await shows(/● second done/);
  expect(existsSync(join(room.projectDir, "asked"))).toBe(true);
  expect(room.model.requests().map(({ toolResults }) => toolResults.length)).toEqual([0, 1, 0, 1]);
});

it("shows that Claude Code works while an answer is held, and takes the next prompt after an Escape", async () => {
  startClaude();
  await shows(/^❯\s*$/m, /\? for shortcuts/);
  await send("[[hold gate]][[say never said]]");
  await shows(/esc to interrupt/);
  tmux("send-keys", "-t", "=claude:", "Escape");
  await room.model.waitForRequest(({ state }) => state === "aborted", 5000);
  // An interrupted prompt without an answer returns to the box: between the rules, not where it was said.
  await shows(/^─+\n❯\s\[\[hold gate\]\].*\n─+/m);
  tmux("send-keys", "-t", "=claude:", "C-u");
  await shows(/^─+\n❯\s*\n─+/m);
  await send("[[say next]]");
  await shows(/● next/);
});

function startClaude(): void {
  const env = Object.entries(room.env).map(([name, value]) => `${name}=${value}`);
  const size = ["-x", "120", "-y", "40"];
  tmux("new-session", "-d", "-s", "claude", ...size, "-c", room.projectDir, "env", "-i", ...env, claude);
}

/** Ends the terminal and waits until Claude Code, which writes to its home on the way out, is gone. */
async function stopClaude(): Promise<void> {
  const pid = Number(tmux("display-message", "-p", "-t", "=claude:", "#{pane_pid}"));
  tmux("kill-server");
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), { timeout: 10_000 });
}

/** Pastes the text, waits until the prompt box shows it and presses Enter. */
async function send(text: string): Promise<void> {
  tmux("set-buffer", "-b", "prompt", text);
  tmux("paste-buffer", "-p", "-d", "-b", "prompt", "-t", "=claude:");
  await shows(/^❯\s\[\[.*\n(.*\n)?────/m);
  tmux("send-keys", "-t", "=claude:", "Enter");
}

/** Presses Enter until the dialog is gone: Claude Code ignores it shortly after other keys. */
async function approve(): Promise<void> {
  await vi.waitFor(
    () => {
      tmux("send-keys", "-t", "=claude:", "Enter");
      expect(screen()).not.toMatch(/Do you want to proceed\?/);
    },
    { timeout: 30_000, interval: 200 },
  );
}

async function shows(...patterns: RegExp[]): Promise<void> {
  await vi.waitFor(
    () => {
      const shown = screen();
      for (const pattern of patterns) expect(shown).toMatch(pattern);
    },
    { timeout: 30_000, interval: 50 },
  );
}

function screen(): string {
  return tmux("capture-pane", "-p", "-t", "=claude:");
}

function tmux(...args: string[]): string {
  return execFileSync("tmux", ["-S", join(room.directory, "tmux"), "-f", "/dev/null", ...args], {
    encoding: "utf8",
  });
}
