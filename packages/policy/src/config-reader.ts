import { asFailure, type Files } from "@agent-control/base";
import { unreadableConfig } from "./config-failure.ts";

const sizeLimit = 1024 * 1024;

/** A file that a person writes, as it is now. */
export interface ConfigReader<T> {
  /**
   * Reads the bytes and parses them if they changed since the last call; a missing file is parsed as no bytes,
   * which gives the defaults. Throws what `parse` throws, again as long as the bytes are the same, and
   * `config-invalid` when there are no bytes to be had (not a regular file, over 1 MiB, a symlink to nothing).
   */
  read(): Promise<T>;
}

export interface ConfigReaderParts<T> {
  readonly files: Files;
  /** A symlink here is followed. */
  readonly path: string;
  parse(bytes: Uint8Array, path: string): Promise<T>;
}

/** A reader that remembers the last bytes and what came of them. */
export function createConfigReader<T>({ files, path, parse }: ConfigReaderParts<T>): ConfigReader<T> {
  let last: { readonly bytes: Uint8Array; readonly parsed: Promise<T> } | undefined;
  return {
    async read() {
      const bytes = bytesOf(files, path);
      if (last === undefined || Buffer.compare(last.bytes, bytes) !== 0) {
        last = { bytes, parsed: parse(bytes, path) };
      }
      return last.parsed;
    },
  };
}

function bytesOf(files: Files, path: string): Uint8Array {
  try {
    return throughLink(files, path) ?? new Uint8Array();
  } catch (error) {
    const failure = asFailure(error);
    if (failure === undefined || failure.code === "config-invalid") throw error;
    throw unreadableConfig(path, failure.message, failure);
  }
}

function throughLink(files: Files, path: string): Uint8Array | undefined {
  const realPath = files.realPath(path);
  if (realPath !== undefined) return files.read(realPath, sizeLimit);
  if (files.look(path) === undefined) return undefined;
  throw unreadableConfig(path, "it is a symlink to nothing");
}
