import type { Ledger } from '@harvestman/ports'
import type { CreditHold, HeldWork } from '../plugin/feature.ts'

export type { CreditHold }

export interface HoldOptions extends HeldWork {
  /** Engine that does the work. */
  readonly by?: string | undefined
}

/** How an operation is paid for. */
export interface Payment<Result> {
  readonly hold: CreditHold
  /** Maximum price of the work, as far as it is known in advance. */
  readonly most: number
  readonly price: (result: Result) => number
  /** Price of failed work, at most `most`. Free by default. */
  readonly priceOfFailure?: ((error: unknown) => number) | undefined
  /** Called when the credits are reserved and the work starts. */
  readonly begun?: (() => void) | undefined
  /** Limits every wait to the deadline of the caller. */
  readonly race: <T>(work: Promise<T>) => Promise<T>
}

/**
 * Reserves the maximum price of an operation, runs it, charges its price and returns its result. If a step fails, charges the
 * price of the failure, releases the other credits and rethrows the error.
 */
export async function payFor<Result>(
  { hold, most, price, priceOfFailure, begun, race }: Payment<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    await race(hold.reserve(most))
    begun?.()
    const result = await race(work())
    // Charged last, so that failed or late work is never charged.
    await race(hold.settle(price(result)))
    return result
  } catch (error) {
    const credits = priceOfFailure?.(error) ?? 0
    await race(credits > 0 ? hold.settle(credits) : hold.release()).catch(() => undefined)
    throw error
  }
}

/**
 * Milliseconds between the deadline of the work and the expiry of its reservation. Releases the credits of a crashed engine
 * soon, but never the credits of running work.
 */
const grace = 60_000

/**
 * Opens the credit reservation of an operation that is charged at once: a scrape, a map, a search. Reserves nothing yet;
 * `reserve` rejects with `insufficient_credits` if the team has too few.
 */
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
    release: async () => {
      // The work may be cancelled before the ledger responds to the reservation.
      await holding
      if (isBound || bits) await ledger.settle({ team, task, credits: 0, key })
    },
  }
}

/** Reservation for work that is free or paid for elsewhere. */
export const freeHold: CreditHold = {
  reserve: async () => undefined,
  settle: async () => undefined,
  release: async () => undefined,
}
