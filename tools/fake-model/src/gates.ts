/** Names that answers wait for. A released name stays open, so releasing early is as good as releasing late. */
export interface Gates {
  /** Resolves once the name is released; throws the signal's reason when it fires first. */
  pass(name: string, signal: AbortSignal): Promise<void>;
  release(name: string): void;
}

export function createGates(): Gates {
  const open = new Set<string>();
  const waiting = new Set<() => void>();
  return {
    pass(name, signal) {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!open.has(name) && !signal.aborted) return;
          waiting.delete(look);
          signal.removeEventListener("abort", look);
          if (signal.aborted) reject(signal.reason);
          else resolve();
        };
        waiting.add(look);
        signal.addEventListener("abort", look);
        look();
      });
    },
    release(name) {
      open.add(name);
      for (const look of [...waiting]) look();
    },
  };
}
