import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const fixture = join(import.meta.dirname, "fixtures", "steps-with-an-end.mjs");

it.each(["SIGINT", "SIGTERM"] as const)(
  "ends the step that runs at %s, leaves out the others but those that must always run, and fails",
  async (signal) => {
    const child = spawn(process.execPath, [fixture], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const wasReady = output.includes("ready");
      output += text;
      if (!wasReady && output.includes("ready")) child.kill(signal);
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(output).toMatch(/== first\nready\n\n== last\n/);
    expect(output).toContain("2 passed, 0 failed, 0 skipped");
    expect(code).toBe(1);
  },
);
