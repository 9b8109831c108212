import type { DeriveContext } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

/** What the rest of the document needs of the time that is left. */
const reserve = { part: 0.1, most: 1_000 }

interface Late {
  readonly signal: AbortSignal
  /** What ends it first: the time that was asked for, or that of the request. */
  readonly bound: 'time' | 'timeout'
  /** Must be called when the collecting is over. */
  end(): void
}

/**
 * Ends collecting before the time of the request is over, and after so many milliseconds at most: the rows collected by then
 * are given.
 */
export function lateAfter({ clock, timeLeft }: Pick<DeriveContext, 'clock' | 'timeLeft'>, most = Infinity): Late {
  const late = new AbortController()
  const over = new AbortController()
  const left = timeLeft()
  const room = left - Math.min(left * reserve.part, reserve.most)
  clock.sleep(Math.min(most, room), over.signal).then(
    () => late.abort(new EngineError('timeout', 'The time for collecting is over.')),
    () => undefined,
  )
  return { signal: late.signal, bound: most < room ? 'time' : 'timeout', end: () => over.abort() }
}
