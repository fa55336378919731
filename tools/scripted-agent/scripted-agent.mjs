// A small agent for demonstrations and tests that needs no model: it looks and reports like Claude Code (prompt box,
// working line, permission dialog, hooks), and does what the prompt's first word says:
//   write FILE TEXT   works for a moment, writes TEXT to FILE in its directory
//   work MS           works that long
//   ask               opens a permission dialog; Enter or Escape closes it
//   fail              reports a failed turn
//   silent MS         works without reporting the end, as after an interrupt
//   exit              ends
// Usage: node claude PROGRAM [PROGRAM-ARGS...], where the words run `tongs-agents`. Must be started through a file
// called `claude` (see `asClaude`), since agent CLIs are known by their program's name.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Writes a program called `claude` into the directory that runs this file; returns argv for a profile's command. */
export function asClaude(directory, tongsAgents) {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "claude");
  writeFileSync(
    path,
    `import(${JSON.stringify(`file://${fileURLToPath(import.meta.url)}`)}).then((agent) => agent.runAgent(process.argv.slice(2)));\n`,
  );
  chmodSync(path, 0o700);
  return [process.execPath, path, ...tongsAgents];
}

/** Runs the agent on this process's terminal. */
export async function runAgent(tongsAgents) {
  const { stdin, stdout } = process;
  const sessionId = `scripted-${process.pid}`;
  let draft = "";
  let state = "idle";
  const log = [];

  const report = (event, extra = {}) =>
    new Promise((resolve) => {
      const [file, ...args] = [...tongsAgents, "hook", event, "--agent", "claude"];
      const hook = spawn(file, args, { stdio: ["pipe", "ignore", "ignore"] });
      hook.on("close", resolve);
      hook.on("error", resolve);
      hook.stdin.on("error", () => {}); // It may end before it reads.
      hook.stdin.end(
        JSON.stringify({ session_id: sessionId, cwd: process.cwd(), hook_event_name: event, ...extra }),
      );
    });

  function draw() {
    const rule = "─".repeat(stdout.columns || 80);
    const lines = ["Scripted agent (no model)", "", ...log.slice(-8), ""];
    if (state === "dialog")
      lines.push(
        rule,
        " Bash command",
        "",
        "   make coffee",
        "",
        " Do you want to proceed?",
        " ❯ 1. Yes",
        "   2. No",
        "",
        " Esc to cancel · Tab to amend",
      );
    else
      lines.push(
        ...(state === "working" ? ["✽ Working… (1s · ↓ 1 tokens)", ""] : []),
        rule,
        `❯\u00a0${draft.split("\n")[0]}`,
        rule,
        state === "working" ? "  esc to interrupt" : "  ? for shortcuts",
      );
    const up = state === "dialog" ? "" : `\u001b[2A\u001b[${3 + draft.split("\n")[0].length}G`;
    stdout.write(`\u001b[2J\u001b[H${lines.join("\r\n")}${up}`);
  }

  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const turns = {
    async write(rest) {
      const [file = "", ...text] = rest.split(" ");
      await pause(700);
      writeFileSync(join(process.cwd(), file), `${text.join(" ")}\n`);
      log.push(`⏺ Wrote ${file}`);
    },
    work: (rest) => pause(Number(rest)),
    async ask() {
      state = "dialog";
      draw();
      await report("PermissionRequest", { tool_name: "Bash", tool_input: { command: "make coffee" } });
      await new Promise((resolve) => (answered = resolve));
      log.push("⏺ Answered");
    },
  };
  let answered = () => {};

  async function turn(prompt) {
    log.push(`> ${prompt.split("\n")[0]}`);
    state = "working";
    draw();
    await report("UserPromptSubmit", { prompt });
    const [word = "", ...rest] = prompt.split(" ");
    if (word === "exit") process.exit(0);
    if (word === "silent") await pause(Number(rest[0]));
    else if (word !== "fail") await turns[word]?.(rest.join(" "));
    state = "idle";
    draw();
    if (word === "fail") await report("StopFailure", { error: "server_error" });
    else if (word !== "silent") await report("Stop", { last_assistant_message: "done" });
  }

  let pasting = false;
  let running = Promise.resolve();
  function read(bytes) {
    let text = bytes.toString();
    while (text !== "") {
      const [start, end] = [text.indexOf("\u001b[200~"), text.indexOf("\u001b[201~")];
      if (!pasting && start === 0) {
        pasting = true;
        text = text.slice(6);
      } else if (pasting) {
        draft += end < 0 ? text : text.slice(0, end);
        pasting = end < 0;
        text = end < 0 ? "" : text.slice(end + 6);
      } else {
        key(text[0]);
        text = text.slice(1);
      }
    }
    draw();
  }

  function key(character) {
    if (character === "\u0003") process.exit(0);
    if (state === "dialog") {
      if (character === "\r" || character === "\u001b") {
        state = "working";
        answered();
      }
      return;
    }
    if (character !== "\r") {
      if (character >= " ") draft += character;
      return;
    }
    const prompt = draft;
    draft = "";
    if (prompt !== "") running = running.then(() => turn(prompt));
  }

  stdin.setRawMode(true);
  stdin.on("data", read);
  stdout.write("\u001b[?2004h");
  draw();
  await report("SessionStart", { source: "startup" });
}
