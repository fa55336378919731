import type { Readable } from "node:stream";
import { leadingFields } from "./leading-fields.ts";

const maxBytes = 64 * 1024;
/** A harness writes the payload at once; the shortest time that one gives its hook is 3 s. */
const patienceMs = 1_500;

/**
 * What an agent CLI wrote to its hook. At most 64 KiB are kept and the rest is read away, so that the agent is never
 * left writing; of a payload that is longer, or does not end in time, the leading text fields count. Undefined for
 * anything malformed.
 */
export async function readHookPayload(stdin: Readable): Promise<unknown> {
  const { text, isWhole } = await readStart(stdin);
  try {
    return JSON.parse(text);
  } catch {
    return isWhole ? undefined : leadingFields(text);
  }
}

interface Start {
  readonly text: string;
  readonly isWhole: boolean;
}

function readStart(stdin: Readable): Promise<Start> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (hasEnded: boolean) => {
      clearTimeout(timer);
      stdin.destroy();
      const text = Buffer.concat(chunks).subarray(0, maxBytes).toString();
      resolve({ text, isWhole: hasEnded && size <= maxBytes });
    };
    const timer = setTimeout(() => end(false), patienceMs);
    stdin.on("data", (chunk: Buffer) => {
      if (size < maxBytes) chunks.push(chunk);
      size += chunk.length;
    });
    stdin.on("end", () => end(true));
    stdin.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
