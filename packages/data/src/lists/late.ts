import type { DeriveContext } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

/** Time reserved for the other formats: a fraction of the time left, at most `most` milliseconds. */
const reserve = { part: 0.1, most: 1_000 }

interface Late {
  readonly signal: AbortSignal
  /** Which limit applies first: the collection's own (`time`) or the timeout of the request. */
  readonly bound: 'time' | 'timeout'
  /** Must be called when collecting has ended. */
  end(): void
}

/**
 * Starts a timer whose signal aborts with `timeout` after `most` milliseconds (default: no limit), or earlier: a tenth of the
 * time left, at most 1 second, before the request times out. Rows collected by then are returned.
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
