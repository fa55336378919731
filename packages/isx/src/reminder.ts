import { asFailure } from "@agent-control/base";
import { settingsNotes } from "./approval.ts";
import type { SettingsNow } from "./settings.ts";

/** Tells the person on standard error, once each, what is obsolete in the settings. */
export function createReminder(diagnose: (line: string) => void): (now: SettingsNow) => void {
  const told = new Set<string>();
  return (now) => {
    for (const note of notesOn(now)) {
      if (!told.has(note)) diagnose(`isx: ${note}`);
      told.add(note);
    }
  };
}

/** What is obsolete in the settings, one sentence each; [] while they cannot be used. */
export function notesOn({ settings, config }: SettingsNow): string[] {
  try {
    return settingsNotes(settings(), config());
  } catch (error) {
    // The calls that depend on the file say what is wrong with it.
    if (asFailure(error) === undefined) throw error;
    return [];
  }
}
