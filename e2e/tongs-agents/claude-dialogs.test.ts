import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { type ClaudeWorld, claudeIt, createClaudeWorld } from "./claude-world.ts";
import { until } from "./world.ts";

vi.setConfig({ testTimeout: 120_000 });

let world: ClaudeWorld;
let agent: string;
beforeEach(async () => {
  world = await createClaudeWorld();
  world.writeProfiles(world.claudeProfile("agent"));
  agent = await world.launch("agent");
});
afterEach(() => world?.close());

claudeIt(
  "T-19 a permission dialog is neither typed into nor answered; its person still answers it",
  async () => {
    const file = await openPermissionDialog();
    const before = world.screen(agent);

    expect(await world.send(agent, "yes, do it")).toMatchObject({
      ok: false,
      outcome: "refused",
      exit_code: 5,
      code: "dialog-open",
      error: expect.stringContaining("permission dialog is open"),
      details: { screen_text: expect.stringContaining("Do you want to proceed?") },
    });
    expect(world.screen(agent)).toBe(before);
    expect(existsSync(file)).toBe(false);
    expect(await world.answer("agent-status", agent)).toMatchObject({
      state: "waiting",
      detail: "permission",
    });

    await pressUntil("Enter", () => existsSync(file));
    expect(await world.answer("wait", agent)).toMatchObject({ ok: true, state: "done" });
    expect(world.prompts()).toHaveLength(1);
  },
);

claudeIt(
  "T-19 T-21 after Escape, which no hook reports, the agent is done and takes the next prompt",
  async () => {
    const file = await openPermissionDialog();
    await pressUntil("Escape", () => !/Do you want to proceed\?/.test(world.screen(agent)));
    expect(await world.answer("wait", agent, "--until", "attention", "--timeout", "20")).toMatchObject({
      state: "done",
    });
    expect(await world.answer("agent-status", agent)).toMatchObject({ state: "done", source: "screen" });
    expect(await world.send(agent, "[[say next one]]")).toMatchObject({
      ok: true,
      delivery: { turn_started: true },
    });
    await world.shows(agent, /● next one/);
    expect(existsSync(file)).toBe(false);
  },
);

claudeIt("T-19 a half-typed draft is left as it is", async () => {
  await world.shows(agent, /\? for shortcuts/);
  world.press(agent, "-l", "half a tho");
  await world.shows(agent, /❯\shalf a tho/);
  const before = world.screen(agent);
  expect(await world.send(agent, "[[say mine]]")).toMatchObject({
    outcome: "refused",
    code: "person-typing",
    error: expect.stringContaining("person is typing"),
  });
  expect(world.screen(agent)).toBe(before);
  world.press(agent, "-l", "ught");
  world.press(agent, "Enter");
  await world.model.waitForRequest(({ userText }) => userText === "half a thought", 10_000);
});

claudeIt("T-19 an open menu is not typed into", async () => {
  await world.shows(agent, /\? for shortcuts/);
  for (const [keys, shown] of [
    ["/", /\/\w+ {2,}\S/],
    ["/model", /Select model/],
  ] as const) {
    await openMenu(keys, shown);
    const before = menuShown();
    expect(await world.send(agent, "[[say mine]]")).toMatchObject({ outcome: "refused" });
    expect(menuShown()).toBe(before);
    await pressUntil("Escape", () => !shown.test(world.screen(agent)));
    if (keys === "/") world.press(agent, "C-u");
  }
  expect(world.prompts()).toEqual([]);
});

claudeIt("T-19 the trust dialog at start is named and not answered", async () => {
  const untrusted = join(world.root, "untrusted");
  mkdirSync(untrusted);
  execFileSync("git", ["init", "--quiet", untrusted]);
  world.writeProfiles(world.claudeProfile("stranger", `cwd = ${JSON.stringify(untrusted)}`));
  const stranger = await world.launch("stranger");
  await world.shows(stranger, /trust this folder/);
  const before = world.screen(stranger);
  expect(await world.send(stranger, "[[say mine]]")).toMatchObject({
    outcome: "refused",
    code: "startup-dialog",
    error: expect.stringContaining("trust"),
  });
  expect(world.screen(stranger)).toBe(before);
  expect(await world.answer("agent-status", stranger)).toMatchObject({ state: "starting", detail: "trust" });
});

/** Has the agent ask whether it may make a file; returns the file. */
async function openPermissionDialog(): Promise<string> {
  const file = join(world.projectDirectory, "asked");
  const call = JSON.stringify({ command: `touch ${file}`, description: "make a file" });
  const sent = await world.send(agent, `[[call Bash ${call}]][[say done]]`);
  expect(sent).toMatchObject({ ok: true, delivery: { turn_started: true } });
  await world.shows(agent, /Do you want to proceed\?/);
  return file;
}

async function openMenu(keys: string, shown: RegExp): Promise<void> {
  world.press(agent, "-l", keys);
  await world.shows(agent, new RegExp(`❯\\s${keys}`));
  if (keys !== "/") world.press(agent, "Enter");
  await world.shows(agent, shown);
}

/** The number of commands below grows while Claude Code starts. */
function menuShown(): string {
  return world.screen(agent).replace(/↓ \d+ more/, "");
}

/** Presses the key until it acted: Claude Code ignores keys for a moment after a dialog opened. */
async function pressUntil(key: string, acted: () => boolean, presses = 10): Promise<void> {
  world.press(agent, key);
  try {
    await until(acted, 1_500, `${key} acted`); // A second Escape too soon would open another menu.
  } catch (error) {
    if (presses === 1) throw error;
    await pressUntil(key, acted, presses - 1);
  }
}
