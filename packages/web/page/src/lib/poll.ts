import { useEffect, useState } from 'preact/hooks'

import { refusalOf, type Refusal } from './api.ts'

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

/**
 * Polls every second what may be refused. A refusal stands until the next answer; what the server lacks for a while is
 * asked for again, and what it says no to is not.
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
        return found.status === 0 || found.status >= 500
      }
    },
    1_000,
    about,
  )
  return [refusal, setRefusal]
}
