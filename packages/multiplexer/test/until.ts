/** Waits until `look` gives something that is not undefined or false; throws with what it was about after `ms`. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  ms = 8_000,
): Promise<NonNullable<T>> {
  const end = performance.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
