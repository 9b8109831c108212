/**
 * Returns a function that runs `work` without overlap: if it is called during a run, the work runs once more afterwards.
 * Rejects as the work does.
 */
export function runWithoutOverlap(work: () => Promise<void>): () => Promise<void> {
  let isRequested = false
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    do {
      isRequested = false
      await work()
    } while (isRequested)
  }
  return () => {
    isRequested = true
    return (running ??= run().finally(() => (running = undefined)))
  }
}
