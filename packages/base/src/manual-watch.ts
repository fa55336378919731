import type { Watch } from "./ports.ts";

export interface ManualWatch extends Watch {
  /** Calls the listeners of exactly this directory, as a change in it would. */
  change(directory: string): void;
  /** The directories being watched now, sorted. */
  watched(): string[];
}

/** A watch that notices only what it is told. */
export function manualWatch(): ManualWatch {
  const listeners = new Map<symbol, { readonly path: string; readonly listener: () => void }>();
  return {
    directory(path, listener) {
      const key = Symbol(path);
      listeners.set(key, { path, listener });
      return () => {
        listeners.delete(key);
      };
    },
    change(directory) {
      for (const { path, listener } of [...listeners.values()]) if (path === directory) listener();
    },
    watched: () => [...listeners.values()].map(({ path }) => path).sort(),
  };
}
