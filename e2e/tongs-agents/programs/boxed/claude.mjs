// A recording agent: shows Claude Code's prompt box, always empty, and appends every byte that it reads to the file
// given first; the words after it run `tongs-agents`, whose hook is told once that a session began. After each Enter
// it shows the working line for a moment, with IDLE=1 in its environment never. Its name is what makes it a Claude
// Code to the hook.
import { spawnSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";

const [file, program, ...words] = process.argv.slice(2);
const { stdin, stdout } = process;
let back;

stdin.setRawMode(true);
stdin.on("data", (bytes) => {
  appendFileSync(file, bytes);
  if (bytes.at(-1) !== 0x0d || process.env.IDLE) return;
  draw(true);
  clearTimeout(back);
  back = setTimeout(draw, 300, false);
});
stdout.write("\u001b[?2004h");
draw(false);
spawnSync(program, [...words, "hook", "SessionStart", "--agent", "claude"], {
  input: JSON.stringify({ session_id: `recorder-${process.pid}`, cwd: process.cwd(), source: "startup" }),
});
writeFileSync(`${file}.ready`, String(process.pid));

function draw(working) {
  const rule = "─".repeat(stdout.columns || 80);
  const above = working ? ["✽ Working… (1s · ↓ 1 tokens)", ""] : [""];
  const footer = working ? "  esc to interrupt" : "  ? for shortcuts";
  stdout.write(
    `\u001b[2J\u001b[H${[...above, rule, "❯\u00a0", rule, footer].join("\r\n")}\u001b[2A\u001b[3G`,
  );
}
