/**
 * Returns a function that schedules the work for the end of the current synchronous code. Further calls until then have no
 * effect.
 */
export function scheduleOnce(work: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    queueMicrotask(() => {
      isDue = false
      work()
    })
  }
}
