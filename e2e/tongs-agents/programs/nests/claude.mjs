// A Claude Code without a model or a screen that starts other ones, as its shell tool would. Usage:
//   node claude.mjs -p PROGRAM...             a nested one: reports a whole turn of its own session and ends
//   node claude.mjs how MARKER PROGRAM...     reports that a turn began, then starts a nested one and waits for it:
//                                             how = direct, shell or none; then writes the file MARKER and stays
// where PROGRAM... runs `tongs-agents`.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const [how, ...rest] = process.argv.slice(2);

function report(tongsAgents, event, session) {
  const [file, ...args] = [...tongsAgents, "hook", event, "--agent", "claude"];
  const input = JSON.stringify({ session_id: session, cwd: process.cwd(), hook_event_name: event });
  const { status } = spawnSync(file, args, { input });
  if (status !== 0) throw new Error(`the hook ended with ${status}`);
}

if (how === "-p") {
  for (const event of ["SessionStart", "UserPromptSubmit", "Stop"])
    report(rest, event, `nested-${process.pid}`);
} else {
  const [marker, ...tongsAgents] = rest;
  report(tongsAgents, "SessionStart", "outer");
  report(tongsAgents, "UserPromptSubmit", "outer");
  const nested = [process.execPath, process.argv[1], "-p", ...tongsAgents];
  const [file, ...args] = how === "shell" ? ["sh", "-c", '"$@"; true', "sh", ...nested] : nested;
  if (how !== "none") spawnSync(file, args, { stdio: "inherit" });
  writeFileSync(marker, "done");
  setInterval(() => {}, 1_000_000);
}
