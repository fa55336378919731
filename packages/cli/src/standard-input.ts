import { addAbortSignal, type Readable } from "node:stream";
import { Failure } from "@agent-control/base";

/** What is piped into the program. */
export interface StandardInput {
  readonly isTerminal: boolean;
  /**
   * Everything up to the end of input as UTF-8 text. Throws a `usage` Failure over `limit` bytes or for other
   * bytes than UTF-8, and `cancelled` when the verb's signal fires.
   */
  readText(limit: number): Promise<string>;
}

/** Touches the stream only when a verb reads. */
export function createStandardInput(
  stream: Readable & { readonly isTTY?: boolean },
  signal: AbortSignal,
): StandardInput {
  return {
    isTerminal: stream.isTTY === true,
    readText: async (limit) => decode(await collect(addAbortSignal(signal, stream), limit)),
  };
}

async function collect(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Failure("usage", {
      code: "stdin-not-utf8",
      message: "Standard input is not UTF-8 text",
      next: "Convert it first, for example with iconv",
      cause,
    });
  }
}

function tooLarge(limit: number): Failure {
  return new Failure("usage", {
    code: "stdin-too-large",
    message: `Standard input is larger than ${limit} bytes`,
    next: "Send less, or name a file in the text instead",
  });
}
