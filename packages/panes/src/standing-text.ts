import { plainText } from "@agent-control/base";

// What a long paste is shown as: "[Pasted text #1 +3 lines]", "[Pasted Content 1024 chars]", "[paste #1 +12 lines]".
const pasteMark = /^\[(?:pasted|paste) [^\]]*\]$/i;
/** So many characters do not stand in a person's own text by chance. */
const tellingLength = 40;

/** Whether the text in a prompt box is the pasted one: all of it, a long part of it, or the harness's mark for it. */
export function isStanding(pasted: string, draft: string): boolean {
  if (pasteMark.test(draft.trim())) return true;
  const shown = withoutBlanks(draft);
  const whole = withoutBlanks(pasted);
  return shown === whole || (shown.length >= tellingLength && whole.includes(shown));
}

/** A box wraps and indents. */
function withoutBlanks(text: string): string {
  return plainText(text).replace(/\s+/g, "");
}
