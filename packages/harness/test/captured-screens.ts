import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ScreenReading, ScreenSeen } from "../src/index.ts";

export interface CapturedScreen {
  /** "<state>/<name>" below test/screens/<harness>. */
  readonly name: string;
  readonly state: ScreenReading["state"];
  readonly screen: Required<ScreenSeen>;
}

/** Every screen captured from the real program; its folder is the state a person sees in it. */
export function capturedScreens(harness: string): CapturedScreen[] {
  const root = fileURLToPath(new URL(`screens/${harness}`, import.meta.url));
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: state }) =>
      readdirSync(join(root, state)).map((file) => ({
        name: `${state}/${basename(file, ".txt")}`,
        state: state as ScreenReading["state"],
        screen: parse(readFileSync(join(root, state, file), "utf8")),
      })),
    );
}

/** One captured screen, e.g. capturedScreen("claude", "draft/cjk"). */
export function capturedScreen(harness: string, name: string): Required<ScreenSeen> {
  const found = capturedScreens(harness).find((captured) => captured.name === name);
  if (!found) throw new Error(`no captured screen ${harness}/${name}`);
  return found.screen;
}

// The first line of a file holds the version, the title and the cursor; the rest is the screen.
function parse(text: string): Required<ScreenSeen> {
  const [head = "", ...lines] = text.split("\n");
  const { title, cursor } = JSON.parse(head);
  return { lines, title, cursor };
}
