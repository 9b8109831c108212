/** Resolves in the next turn of the event loop, so that other callbacks run first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
