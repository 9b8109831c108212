/**
 * Copies a string that was sliced from a page. Engines may store a slice as a view of the original, so keeping one link
 * would keep the whole page in memory.
 */
export function detached(text: string): string {
  return ` ${text}`.slice(1)
}
