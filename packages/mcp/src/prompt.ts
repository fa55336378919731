/** A prompt without arguments, as data. */
export interface Prompt {
  /** `[a-z0-9_]{1,40}` */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the person's message will say. */
  readonly text: string;
}

/** The prompts as `prompts/list` shows them. */
export function listedPrompts(prompts: readonly Prompt[]) {
  return prompts.map(({ name, title, description }) => ({ name, title, description }));
}

/** The answer to `prompts/get`: one message of the person. */
export function promptMessage({ description, text }: Prompt) {
  return { description, messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
}
