import type { Traffic } from '@harvestman/ports'

import { exchangeKey } from '../keys.ts'
import { failureOf } from '../notes.ts'
import { leftOut, type Redaction } from '@harvestman/toolbox/redaction'
import { isWeb, steadyScript } from '../traffic.ts'
import { notRecorded } from './not-recorded.ts'
import type { Recorded } from '../reading/recorded.ts'

/**
 * Creates a traffic handler that responds to the requests of pages from the record. Recorded failures reject again. Requests
 * that are not in the record are sent to their host and observed by `beyond`, or reject with `not_cached` if `beyond` is
 * `undefined`. `shift` moves the clock of pages, in milliseconds.
 */
export function replayedTraffic(
  recorded: Recorded,
  redaction: Redaction,
  beyond: Traffic | undefined,
  shift: number,
): Traffic {
  return {
    maxBytes: 0,
    ...beyond,
    script: steadyScript(shift),
    answer: async (asked) => {
      if (!isWeb(asked)) return undefined
      const key = exchangeKey(asked, redaction)
      const found = await recorded.take(key, 'browser')
      if (found === undefined && beyond) return undefined
      if (found === undefined) throw notRecorded(key)
      if ('code' in found) throw failureOf(found)
      return { ...found, headers: found.headers.filter(([, value]) => value !== leftOut) }
    },
  }
}
