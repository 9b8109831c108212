import { EngineError } from '@harvestman/ports'
import { backoffAfter } from '@harvestman/ports/adapters'

import { heartbeat } from '../lib/options.ts'
import { reach } from './endpoint.ts'
import type { Running } from './running.ts'

/** Browsers that run already: which of them the next tab goes to. */
export interface Endpoints {
  readonly size: number
  /** Of those that answer, the one with the fewest tabs. When none does, the one that failed the least is tried. */
  pick(tabsAt: (endpoint: string) => number): string
  connect(endpoint: string, signal: AbortSignal): Promise<Running>
  close(): void
}

interface Known {
  readonly address: string
  /** Times in a row that it did not answer; none is asked for tabs while it rests. */
  failures: number
  turn: number
  check: NodeJS.Timeout | undefined
}

// Spread, so that many processes do not come back to an endpoint at once.
const checks = { first: 1_000, longest: 60_000, isSpread: true }

/**
 * One that does not answer, or ends a connection, takes no tabs until a check of its own has reached it again: the first a
 * second later, then after waits that double.
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
      if (!best) throw new EngineError('not_configured', 'No endpoint of a browser was given. Name one.')
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

/** Tells when the browser ends the connection, and not when we do. */
function watched(running: Running, lost: () => void): Pick<Running, 'close' | 'kill'> {
  let isOurs = false
  running.gone.addEventListener('abort', () => isOurs || lost(), { once: true })
  return {
    close: () => {
      isOurs = true
      return running.close()
    },
    // It stopped answering.
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
