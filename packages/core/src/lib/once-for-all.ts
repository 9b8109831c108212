/** Does the work once for all who ask for it in one step, when the step is over. */
export function onceForAll(work: () => void): () => void {
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
