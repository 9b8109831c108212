/** A beat that failed is made again within this time, in milliseconds: what was away is back for all within it. */
const soon = 1_000

/**
 * Does something so often, in milliseconds, until it is stopped, and keeps no process alive. Never twice at once: while a
 * store does not answer nothing piles up that it would have to do when it is back.
 */
export function heartbeat(beat: () => Promise<unknown>, every: number): () => void {
  let timer: NodeJS.Timeout | undefined
  const stopped = new AbortController()
  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      timer = setTimeout(resolve, ms).unref()
    })
  const work = async (): Promise<void> => {
    let hasFailed = false
    while (!stopped.signal.aborted) {
      await rest(hasFailed ? Math.min(every, soon) : every)
      if (stopped.signal.aborted) return
      hasFailed = await beat().then(
        () => false,
        () => true,
      )
    }
  }
  void work()
  return () => {
    stopped.abort()
    clearTimeout(timer)
  }
}
