import type { Traffic } from '@harvestman/ports'

import { failureNote } from '../notes.ts'
import { isWeb, steadyScript } from '../traffic.ts'
import type { Recorder } from './recorder.ts'

/**
 * Creates a traffic handler that records the requests of pages in a browser. Other requests than http(s) are ignored. `now`
 * returns milliseconds since 1970.
 */
export function recordedTraffic(recorder: Recorder, now: () => number): Traffic {
  return {
    maxBytes: recorder.limits.bodyBytes,
    script: steadyScript(undefined),
    note: (asked, { status, headers, body, isCut }) => {
      if (!isWeb(asked)) return
      const { url, method, headers: sent, body: given, isFrame } = asked
      const answer = { status, headers, answer: body, isCut }
      const request = { url, method, sent, body: given, isFrame }
      recorder.exchange({ ...request, by: 'browser', order: recorder.next(), at: now(), ...answer })
    },
    failed: (url, error) => {
      const failure = failureNote(error)
      if (failure) recorder.failure({ method: 'GET', url: url.href }, 'browser', recorder.next(), now(), failure)
    },
  }
}
