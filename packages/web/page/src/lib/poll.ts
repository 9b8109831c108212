import { useEffect } from 'preact/hooks'

/** Calls again and again while the page is looked at; what it returns says whether there is more to come. */
export function usePoll(
  ask: (signal: AbortSignal) => Promise<boolean>,
  every: number,
  about: readonly unknown[],
): void {
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = (ms: number): void => {
      if (!stop.signal.aborted) timer = setTimeout(() => void turn(), ms)
    }
    const turn = async (): Promise<void> => {
      if (document.hidden) return next(every)
      const goesOn = await ask(stop.signal).catch(() => true)
      if (goesOn) next(every)
    }
    void turn()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, about)
}
