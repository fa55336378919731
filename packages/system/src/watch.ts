import { type FSWatcher, statSync, watch } from "node:fs";
import { Failure, fileFailure, type Watch } from "@agent-control/base";
import { kindOf, requireKind } from "./file-kind.ts";
import { asWatchFailure } from "./system-failure.ts";

export interface WatchOptions {
  /** Called when a watch has ended by itself: the directory was removed or replaced, or the kernel gave up. */
  readonly onError: (failure: Failure) => void;
}

/** Milliseconds in which the changes of one burst are collected. */
const burstMs = 10;

/** Notices of changes from inotify: at most one call every 10 ms. A watch keeps the process alive until stopped. */
export function createWatch({ onError }: WatchOptions): Watch {
  return {
    directory(path, listener) {
      const id = directoryId(path);
      const watcher = open(path);
      let timer: NodeJS.Timeout | undefined;
      const stop = () => {
        clearTimeout(timer);
        watcher.close();
      };
      const end = (failure: unknown) => {
        stop();
        if (!(failure instanceof Failure)) throw failure;
        onError(failure);
      };
      const tell = () => {
        timer = undefined;
        listener();
        if (!isStill(id, path))
          end(fileFailure("file-missing", path, { found: "no longer the watched directory" }));
      };
      watcher.on("change", () => {
        timer ??= setTimeout(tell, burstMs);
      });
      watcher.on("error", (error) => end(asWatchFailure(error, path)));
      return stop;
    },
  };
}

function directoryId(path: string): string {
  try {
    const stats = statSync(path, { bigint: true });
    requireKind("directory", kindOf(stats), path);
    return `${stats.dev}:${stats.ino}`;
  } catch (error) {
    throw asWatchFailure(error, path);
  }
}

function open(path: string): FSWatcher {
  try {
    return watch(path);
  } catch (error) {
    throw asWatchFailure(error, path);
  }
}

function isStill(id: string, path: string): boolean {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && `${stats.dev}:${stats.ino}` === id;
}
