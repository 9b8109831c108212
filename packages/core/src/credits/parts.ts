import { EngineError } from '@harvestman/ports'
import { makeSequence } from '@harvestman/toolbox/sequence'
import type { CreditHold } from './hold.ts'

/** An operation that is charged at once but whose parts have separate prices: a search and the pages it loads. */
export interface HoldParts {
  /** Returns the reservation of a part. It reserves from the total, and its price is added to the total. */
  open(): CreditHold
  /** Price of the finished parts. */
  readonly spent: number
}

/**
 * Splits the reservation of an operation among its parts. Together they never cost more than `most` credits: beyond it,
 * `reserve` rejects with `insufficient_credits`.
 */
export function splitHold(whole: CreditHold, most = Infinity): HoldParts {
  let spent = 0
  /** Maximum price of the running parts. */
  let reserved = 0
  // One at a time, so that a smaller total never replaces a larger one.
  const reservations = makeSequence()
  const reserve = (more: number): Promise<void> =>
    reservations.run(async () => {
      if (spent + reserved + more > most) throw overCap(most)
      await whole.reserve(spent + reserved + more)
      reserved += more
    })
  return {
    get spent() {
      return spent
    },
    open: () => {
      let mine = 0
      let holding: Promise<unknown> = Promise.resolve()
      const free = (): void => {
        reserved -= mine
        mine = 0
      }
      return {
        reserve: async (credits) => {
          if (credits <= mine) return
          const done = reserve(credits - mine).then(() => void (mine = credits))
          holding = done.catch(() => undefined)
          await done
        },
        settle: async (credits) => {
          free()
          spent += credits
        },
        release: async () => {
          // The work may be cancelled before its reservation is made.
          await holding
          free()
        },
      }
    },
  }
}

function overCap(most: number): EngineError {
  const message = `This may use ${most} credits (maxCredits), and the next step might cost more.`
  return new EngineError('insufficient_credits', message, { details: { credits: most } })
}
