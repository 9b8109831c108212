/** Resolves in the next turn of the event loop: what others wait for comes before what follows. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
