/** Does work one at a time: asked for while it is under way, it is done once more. Rejects as the work does. */
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
