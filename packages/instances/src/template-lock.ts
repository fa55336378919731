import { basename, join } from "node:path";
import type { Files, LockOptions, Locks, Random } from "@agent-control/base";

export interface TemplateLockParts {
  readonly files: Files;
  readonly locks: Locks;
  readonly random: Random;
  readonly directory: string;
}

/** Many may copy a built template at once; nobody may while it is swapped for a newer one. Across processes. */
export interface TemplateLock {
  /** Runs `body` while the template stays what it is. */
  read<T>(template: string, options: WaitOptions, body: () => Promise<T>): Promise<T>;
  /** Runs `body` when nobody reads any more; new readers wait. */
  write<T>(template: string, options: WaitOptions, body: () => Promise<T>): Promise<T>;
}

export type WaitOptions = Pick<LockOptions, "waitMs" | "signal">;

/**
 * Made of plain locks: a reader enters through the gate and then holds a lock of its own; a writer holds the gate and
 * waits for the readers' locks one by one. A reader that died holds nothing.
 */
export function createTemplateLock({ files, locks, random, directory }: TemplateLockParts): TemplateLock {
  const gate = (template: string): string => join(directory, `${template}.gate`);
  const readerPrefix = (template: string): string => `${template}.reader-`;

  return {
    async read(template, options, body) {
      const nonce = Buffer.from(random.bytes(8)).toString("hex");
      const own = join(directory, `${readerPrefix(template)}${nonce}`);
      const what = `the template ${template}`;
      const reading = await locks.hold(gate(template), { ...options, what }, () => {
        return entered((enter) =>
          locks.hold(own, { ...options, what }, async () => {
            enter();
            return body();
          }),
        );
      });
      return reading.result;
    },
    write(template, options, body) {
      const what = `the template ${template}`;
      return locks.hold(gate(template), { ...options, what }, async () => {
        // A lock's own leftovers have another ending and go with it.
        const readers = files.list(directory).filter((name) => isReader(name, readerPrefix(template)));
        for (const reader of readers) {
          await locks.hold(join(directory, basename(reader)), { ...options, what }, () => {});
        }
        return body();
      });
    },
  };
}

function isReader(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && /^[0-9a-f]{16}$/.test(name.slice(prefix.length));
}

/** Resolves as soon as `start` calls `enter`, to what it will give; or throws what it throws before that. */
function entered<T>(start: (enter: () => void) => Promise<T>): Promise<{ readonly result: Promise<T> }> {
  return new Promise((resolve, reject) => {
    const result: Promise<T> = start(() => resolve({ result }));
    result.catch(reject);
  });
}
