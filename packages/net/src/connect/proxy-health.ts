import type { Clock } from '@harvestman/ports'
import { backoffAfter, type Backoff } from '@harvestman/toolbox/backoff'

/** Whether requests through a proxy succeed, to one host or to all. */
export interface ProxyHealth {
  /** `probing` after a cool-down, until a request has succeeded. */
  readonly state: 'ready' | 'resting' | 'probing'
  /** End of the last cool-down, in milliseconds since 1970. */
  readonly until: number
  /** Moving average of the latency in milliseconds; `undefined` before the first success. */
  readonly latency: number | undefined
  /** Moving average of the share of successes, from 0 to 1. */
  readonly success: number
  /** Returns false during a cool-down, and while another request probes the proxy after one. */
  isUsable(): boolean
  /** Begins a request. The returned function must be called with its verdict; without one, the request counts for nothing. */
  begin(): (verdict?: ProxyVerdict) => void
}

/** Result of a request. */
export interface ProxyVerdict {
  readonly isGood: boolean
  readonly latency?: number | undefined
  /** True if a single such result is no reason for a cool-down. */
  readonly isDoubtful?: boolean
  /** Minimum cool-down in milliseconds. */
  readonly rest?: number | undefined
}

const newest = 0.3
// A probe whose result is never reported must not block the proxy.
const probesWithin = 60_000

/** Creates the health of a proxy that has not been used. The cool-down grows as `backoff` describes. */
export function makeProxyHealth(clock: Clock, backoff: Backoff): ProxyHealth {
  let strikes = 0
  let doubts = 0
  // Number of cool-downs so far.
  let rests = 0
  let until = 0
  let probesUntil = 0
  let latency: number | undefined
  let success = 1

  const good = (ms: number | undefined): void => {
    strikes = 0
    doubts = 0
    success += (1 - success) * newest
    if (ms !== undefined) latency = latency === undefined ? ms : latency + (ms - latency) * newest
  }
  const bad = ({ isDoubtful = false, rest = 0 }: ProxyVerdict): void => {
    success -= success * newest
    doubts += 1
    if (isDoubtful && doubts < 2 && strikes === 0) return
    strikes += 1
    rests += 1
    until = clock.now() + Math.min(Math.max(backoffAfter(strikes, backoff), rest), backoff.longest)
  }
  const isResting = (): boolean => strikes > 0 && clock.now() < until

  return {
    get state() {
      return strikes === 0 ? 'ready' : isResting() ? 'resting' : 'probing'
    },
    get until() {
      return until
    },
    get latency() {
      return latency
    },
    get success() {
      return success
    },
    isUsable: () => strikes === 0 || (!isResting() && clock.now() >= probesUntil),
    begin: () => {
      const struck = strikes
      const began = rests
      if (strikes > 0) probesUntil = clock.now() + probesWithin
      return (verdict) => {
        if (struck > 0) probesUntil = 0
        // Requests that began before the cool-down say nothing new.
        if (!verdict || began !== rests) return
        if (verdict.isGood) good(verdict.latency)
        else bad(verdict)
      }
    },
  }
}
