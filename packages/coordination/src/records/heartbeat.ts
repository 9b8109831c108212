/** Maximum delay in milliseconds before a failed heartbeat is repeated. */
const soon = 1_000

/**
 * Calls `beat` every `every` milliseconds, first after that time, until it is stopped, without keeping the process alive. Calls
 * never overlap, so nothing piles up while a store does not respond. A rejected call is ignored and repeated after at most a
 * second. Returns the function that stops it.
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
