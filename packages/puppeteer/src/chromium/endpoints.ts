import { EngineError } from '@harvestman/ports'
import { backoffAfter } from '@harvestman/toolbox/backoff'

import { heartbeat } from '../lib/options.ts'
import { reach } from './endpoint.ts'
import type { Running } from './running.ts'

/** Distributes tabs over running browsers. */
export interface Endpoints {
  readonly size: number
  /** Returns the responding endpoint with the fewest tabs. If none responds, returns the one with the fewest failures. */
  pick(tabsAt: (endpoint: string) => number): string
  connect(endpoint: string, signal: AbortSignal): Promise<Running>
  close(): void
}

interface Known {
  readonly address: string
  /** Consecutive failures. An endpoint with failures gets no tabs until it responds again. */
  failures: number
  turn: number
  check: NodeJS.Timeout | undefined
}

// With jitter, so that many processes do not reconnect at the same time.
const checks = { first: 1_000, longest: 60_000, isSpread: true }

/**
 * Creates the list of browser endpoints. One that does not respond or that closes a connection gets no tabs until a check
 * reaches it again. Checks start after about a second, with waits that double up to a minute. `pick` throws `not_configured` if
 * there are none, `connect` rejects with `browser_failed` or the signal's reason.
 */
export function openEndpoints(addresses: readonly string[]): Endpoints {
  const all = addresses.map((address): Known => ({ address, failures: 0, turn: 0, check: undefined }))
  let turns = 0
  let isClosed = false

  const failed = (known: Known): void => {
    if (isClosed || known.check) return
    known.failures += 1
    known.check = setTimeout(() => void check(known), backoffAfter(known.failures, checks)).unref()
  }
  const check = async (known: Known): Promise<void> => {
    const isThere = await answers(known.address)
    known.check = undefined
    if (isThere) known.failures = 0
    else failed(known)
  }
  return {
    size: all.length,
    pick: (tabsAt) => {
      const ready = all.filter(({ failures }) => failures === 0)
      const among = ready.length > 0 ? ready : all
      const [best] = among.toSorted(
        (one, other) =>
          one.failures - other.failures || tabsAt(one.address) - tabsAt(other.address) || one.turn - other.turn,
      )
      if (!best) throw new EngineError('not_configured', 'There is no browser endpoint. Pass one.')
      turns += 1
      best.turn = turns
      return best.address
    },
    connect: async (endpoint, signal) => {
      const known = all.find(({ address }) => address === endpoint)
      try {
        const running = await reach(endpoint, signal)
        if (!known) return running
        clearTimeout(known.check)
        Object.assign(known, { failures: 0, check: undefined })
        return { ...running, ...watched(running, () => failed(known)) }
      } catch (error) {
        if (known && !signal.aborted) failed(known)
        throw error
      }
    },
    close: () => {
      isClosed = true
      for (const { check } of all) clearTimeout(check)
    },
  }
}

/** Calls `lost` when the browser closes the connection, but not when we do. */
function watched(running: Running, lost: () => void): Pick<Running, 'close' | 'kill'> {
  let isOurs = false
  running.closed.addEventListener('abort', () => isOurs || lost(), { once: true })
  return {
    close: () => {
      isOurs = true
      return running.close()
    },
    // Not marked as ours: a browser is killed because it stopped responding, which is a failure.
    kill: running.kill,
  }
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    const running = await reach(endpoint, AbortSignal.timeout(heartbeat.within))
    await running.close()
    return true
  } catch {
    return false
  }
}
