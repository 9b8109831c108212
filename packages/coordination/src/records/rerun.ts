/**
 * Returns a function that runs `work` without overlap: if it is called during a run, the work runs once more afterwards.
 * Rejects as the work does.
 */
export function rerun(work: () => Promise<void>): () => Promise<void> {
  let isAsked = false
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    do {
      isAsked = false
      await work()
    } while (isAsked)
  }
  return () => {
    isAsked = true
    return (running ??= run().finally(() => (running = undefined)))
  }
}
