import type { ListedTools } from "./listing.ts";
import type { Prompt } from "./prompt.ts";

/** What a server says of itself. */
export interface ServerFacts extends ListedTools {
  readonly name: string;
  readonly version: string;
  /** For the model: when to use these tools; at most 4096 characters. */
  readonly instructions: string;
  /** Left out: the server has none. */
  readonly prompts?: readonly Prompt[];
}

/** What it can do, in the words of the protocol. */
export function capabilitiesOf({ addedTools, prompts }: ServerFacts) {
  return {
    tools: { listChanged: addedTools !== undefined },
    ...(prompts === undefined ? {} : { prompts: { listChanged: false } }),
  };
}
