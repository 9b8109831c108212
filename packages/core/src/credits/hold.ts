import type { Ledger } from '@harvestman/ports'
import type { CreditHold, HeldWork } from '../plugin/feature.ts'

export type { CreditHold }

export interface HoldOptions extends HeldWork {
  /** The engine that does the work. */
  readonly by?: string | undefined
}

export interface Payment<Result> {
  readonly hold: CreditHold
  /** The most that the work may cost, as far as that is known before. */
  readonly most: number
  readonly price: (result: Result) => number
  /** Is called when the work is paid for and begins. */
  readonly begun?: (() => void) | undefined
  /** Bounds each wait. */
  readonly race: <T>(work: Promise<T>) => Promise<T>
}

/** Has the most that some work may cost set aside, does it, and takes its price; gives all back when it fails. */
export async function payFor<Result>(
  { hold, most, price, begun, race }: Payment<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    await race(hold.reserve(most))
    begun?.()
    const result = await race(work())
    // Last, so that work which fails or comes too late is never paid for.
    await race(hold.settle(price(result)))
    return result
  } catch (error) {
    await race(hold.giveBack()).catch(() => undefined)
    throw error
  }
}

/** The work is over long before: what an engine holds that is gone is given back soon, and never while it is at work. */
const grace = 60_000

/** The hold of a piece of work that is settled at once: a scrape, a map, a search. */
export function openHold(ledger: Ledger, { team, task, until, by, key, knownUntil }: HoldOptions): CreditHold {
  const bits = knownUntil === undefined ? undefined : { from: 0, until: knownUntil }
  let held = 0
  let isBound: boolean | undefined
  let holding: Promise<unknown> = Promise.resolve()
  const holdMore = async (credits: number): Promise<void> => {
    const result = await ledger.hold({ team, task, credits, until: until + grace, by, bits })
    isBound = result.isBound
    held = credits
  }
  return {
    reserve: async (credits) => {
      if (credits <= held || isBound === false) return
      const done = holdMore(credits)
      holding = done.catch(() => undefined)
      await done
    },
    settle: (credits) => ledger.settle({ team, task, credits, isUnheld: isBound === false && !bits, key }),
    giveBack: async () => {
      // Work that is cancelled may be so before its hold is answered.
      await holding
      if (isBound || bits) await ledger.settle({ team, task, credits: 0, key })
    },
  }
}

/** For work that costs nothing, or is paid for elsewhere. */
export const freeHold: CreditHold = {
  reserve: async () => undefined,
  settle: async () => undefined,
  giveBack: async () => undefined,
}
