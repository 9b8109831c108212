/**
 * Returns a function that runs `work` without overlap: if it is called during a run, the work runs once more afterwards, and
 * all callers wait for the last run. If a run fails, all of them reject with its error and no other run follows.
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
