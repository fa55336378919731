import fc from "fast-check";
import { expect, it } from "vitest";
import type { Harness, ScreenSeen } from "../src/index.ts";
import { capturedScreens } from "./captured-screens.ts";

const everyField = {
  session_id: "s1",
  cwd: "/home/me/shop",
  role: "user",
  status_type: "busy",
  notification_type: "permission_prompt",
};
const secret = "hunter2";

/** What holds for every harness. */
export function harnessContract(harness: Harness): void {
  const { readHook, readScreen } = harness;
  const screens = harness.id === "none" ? [] : capturedScreens(harness.id);

  it("reports a turn's begin by exactly one event, if it reports at all", () => {
    const starting = harness.hooks.filter(({ event }) => readHook(event, everyField)?.turnStarted);
    expect(starting.length).toBe(harness.reportsStatus ? 1 : 0);
  });

  it("registers only events that can say something, each once and with time to run", () => {
    const names = harness.hooks.map(({ event }) => event);
    expect(new Set(names).size).toBe(names.length);
    for (const { event, timeoutSeconds } of harness.hooks) {
      expect(readHook(event, everyField), event).toBeDefined();
      expect(timeoutSeconds).toBeGreaterThanOrEqual(3);
    }
  });

  it("reports working, waiting where it asks, and done", () => {
    const statuses = harness.hooks.map(({ event }) => readHook(event, everyField)?.status);
    if (!harness.reportsStatus) expect(statuses).toEqual([]);
    else expect(statuses).toEqual(expect.arrayContaining(["working", "done"]));
  });

  it("lets no text of prompts, answers or tools into a reading", () => {
    for (const { event } of harness.hooks) {
      const texts = {
        prompt: secret,
        message: secret,
        tool_input: { a: secret },
        last_assistant_message: secret,
      };
      expect(JSON.stringify(readHook(event, { ...everyField, ...texts }))).not.toContain(secret);
    }
  });

  it("says nothing for a payload without a session and for an unknown event", () => {
    for (const { event } of harness.hooks) {
      for (const payload of [undefined, null, 7, "x", [], {}, { session_id: 7 }]) {
        expect(readHook(event, payload)).toBeUndefined();
      }
    }
    expect(readHook("no-such-event", everyField)).toBeUndefined();
  });

  it("reads any lines without throwing, and gives a dialog or a draft exactly where its state says so", () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(...screens.flatMap(linesOf), "─".repeat(40)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.string(), (lines, title) => {
        const reading = readScreen({ lines, title, cursor: { row: 3, column: 2 } });
        expect(reading.dialog !== undefined).toBe(reading.state === "dialog" || reading.state === "startup");
        if (reading.state === "draft") expect(reading.draft).toBeTruthy();
        if (reading.state === "idle") expect(reading.draft).toBeUndefined();
        expect(reading.dialog?.quote.length ?? 0).toBeLessThanOrEqual(200);
      }),
    );
  });

  it("takes an empty screen and a shell for nothing of its own", () => {
    for (const lines of [[], Array(40).fill(""), ["$ "], ["~/shop ❯ ls", "a.txt", "~/shop ❯ "]]) {
      expect(readScreen({ lines, title: "" })).toEqual({ state: "unknown" });
    }
  });

  it.each(screens)(
    "reads $name as a person does, with the ends of lines and without",
    ({ screen, state }) => {
      expect(readScreen(screen)).toMatchObject({ state });
      const cut = screen.lines.map((text) => text.trimEnd());
      expect(readScreen({ ...screen, lines: cut })).toMatchObject({ state });
    },
  );
}

function linesOf({ screen }: { readonly screen: ScreenSeen }): readonly string[] {
  return screen.lines;
}
