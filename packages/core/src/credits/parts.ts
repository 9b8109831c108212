import { EngineError } from '@harvestman/ports'
import { makeSequence } from '@harvestman/ports/adapters'
import type { CreditHold } from './hold.ts'

/** One piece of work that is paid for at once, and whose parts are priced one by one: a search and the pages it loads. */
export interface HoldParts {
  /** The hold of a part: what it reserves is reserved of the whole, and what it settles is part of its price. */
  open(): CreditHold
  /** Cost of the parts that are done: the price of the whole. */
  readonly spent: number
}

/** Splits what pays for a piece of work among its parts. Together they never cost more than `most`. */
export function splitHold(whole: CreditHold, most = Infinity): HoldParts {
  let spent = 0
  /** The most that the parts under way may cost. */
  let reserved = 0
  // Else a sum would overtake a greater one.
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
        giveBack: async () => {
          // Work that is cancelled may be so before what it asked for is there.
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
