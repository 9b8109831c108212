/** Returns a function that schedules the work once, at the end of the current synchronous code, however often it is called. */
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
