import { useEffect, useState } from 'preact/hooks'

import { refusalOf, type Refusal } from './api.ts'

/**
 * Calls `ask` at an interval while the page is visible, until it returns false. A rejected call is repeated. The
 * interval is in milliseconds; a change of `about` restarts.
 */
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

/**
 * Polls every second and returns the last error until the next success. Network and server errors are retried; client errors
 * end the polling.
 */
export function useRefusedPoll(
  ask: (signal: AbortSignal) => Promise<boolean>,
  about: readonly unknown[],
): readonly [refusal: Refusal | undefined, refuse: (refusal: Refusal) => void] {
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  usePoll(
    async (signal) => {
      try {
        const hasMore = await ask(signal)
        setRefusal(undefined)
        return hasMore
      } catch (error) {
        if (signal.aborted) return false
        const found = refusalOf(error)
        setRefusal(found)
        return found.status === undefined || found.status >= 500
      }
    },
    1_000,
    about,
  )
  return [refusal, setRefusal]
}

/**
 * Loads data once per value of `about`. When `about` changes, the old result is dropped at once and a late response is
 * ignored. The result is empty while it loads, and has a `refusal` if that failed.
 */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  about: readonly unknown[],
): { readonly answer?: T; readonly refusal?: Refusal } {
  const name = JSON.stringify(about)
  const [known, setKnown] = useState<{ readonly name: string; readonly answer?: T; readonly refusal?: Refusal }>({
    name,
  })
  useEffect(() => {
    const stop = new AbortController()
    ask(stop.signal).then(
      (answer) => stop.signal.aborted || setKnown({ name, answer }),
      (error: unknown) => stop.signal.aborted || setKnown({ name, refusal: refusalOf(error) }),
    )
    return () => stop.abort()
  }, [name])
  return known.name === name ? known : {}
}
