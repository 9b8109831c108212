import { freeHold, type CreditHold } from '../../credits/hold.ts'
import { tariff } from '../../credits/tariff.ts'
import { EngineError } from '@harvestman/ports'
import type { JobKit } from '../kit.ts'
import type { Opening } from '../log/facts.ts'
import type { JobState } from '../log/state.ts'
import { openAccount } from './job-account.ts'

/**
 * Budget of a job, limited by the credits of its team and by the job's own `maxCredits`. Credits for several pages are reserved
 * ahead in the ledger. Settling reports the total of all stored pages so far, so repeating it never charges twice. A job
 * without limits calls the ledger only when it starts and ends.
 */
export interface Budget {
  /**
   * Reserves up to `most` credits for a page. If there are too few, returns `wait` while running pages may release some,
   * otherwise the reason.
   */
  open(most: number): Promise<PageHold | 'wait' | OutOfCredits>
  /** Calls `freed` once when a running page releases credits; immediately if no page is running. */
  whenFreed(freed: () => void): void
  /** Schedules settling of the stored pages. */
  settle(): void
  /** Settles the stored pages and releases the remaining reservation. */
  close(): Promise<void>
}

/** Reason why no more credits can be spent. */
export interface OutOfCredits {
  readonly spent: string
  readonly by: 'job' | 'team'
}

/** Credit reservation of a page. */
export interface PageHold extends CreditHold {
  /** Credits reserved when the hold was opened. Absent if the job has no limit. */
  readonly most?: number
  /** Releases the hold, once the page is stored or dropped. */
  close(): void
}

export interface BudgetOptions {
  readonly opening: Opening
  readonly state: JobState
  /** Number of known pages that are not loaded yet. */
  readonly left: number
  readonly kit: JobKit
}

/** Opens the budget of a run. Also settles what earlier runs stored but did not settle. Rejects if the ledger fails. */
export async function openBudget({ opening, state, left, kit }: BudgetOptions): Promise<Budget> {
  const { maxCredits = Infinity } = opening.request as { readonly maxCredits?: number }
  const account = await openAccount({ opening, stored: state.tally.credits, left, maxCredits, kit })
  const { isBound } = account
  const isFree = !isBound && maxCredits === Infinity
  const underWay = makeUnderWay()
  let isClosed = false

  const needed = (): number => state.tally.credits + underWay.credits
  /**
   * Returns the expected price of a page, for the reservation ahead: the average of the stored pages, at first that of a page
   * without extras, and at most `most`. A maximum that few pages cost would withhold too much from other work of the team.
   */
  const expectedPrice = (most: number): number => {
    const { credits, completed } = state.tally
    return Math.min(most, completed === 0 ? tariff.page : Math.max(1, Math.ceil(credits / completed)))
  }
  /**
   * Reserves `more` credits for a new page, or for a running one that costs more than expected. Returns the reason if it
   * cannot.
   */
  const reserve = async (more: number, isPage: boolean): Promise<OutOfCredits | undefined> => {
    const isOver = (): boolean => needed() + more > maxCredits
    if (isOver()) return overCap(maxCredits)
    if (!isBound || account.has(needed() + more, expectedPrice(more))) return underWay.admit(more, isPage)
    return account.inTurn(async () => {
      // Other pages may have been admitted while this call was queued.
      if (isOver()) return overCap(maxCredits)
      if (!(await account.covers(needed() + more, expectedPrice(more)))) return tooFewLeft
      return underWay.admit(more, isPage)
    })
  }

  return {
    whenFreed: underWay.whenFreed,
    open: async (most) => {
      if (isFree) return freePage
      const spent = await reserve(most, true)
      if (spent) return underWay.pages > 0 ? 'wait' : spent
      return pageHold(most, (credits) => reserve(credits, false), underWay.free)
    },
    settle: () => {
      if (isBound && !isClosed) account.settleSoon(() => state.tally.credits)
    },
    close: async () => {
      isClosed = true
      await account.close(() => state.tally)
    },
  }
}

/** Tracks running pages that are not stored yet: their number, their maximum price, and the callbacks waiting for a release. */
function makeUnderWay() {
  const waiting = new Set<() => void>()
  let credits = 0
  let pages = 0
  return {
    get credits() {
      return credits
    },
    get pages() {
      return pages
    },
    admit: (more: number, isPage: boolean): undefined => {
      credits += more
      if (isPage) pages += 1
    },
    free: (freed: number | 'page'): void => {
      if (freed === 'page') {
        pages -= 1
        return
      }
      credits -= freed
      const woken = [...waiting]
      waiting.clear()
      for (const wake of woken) wake()
    },
    whenFreed: (freed: () => void): void => {
      if (pages === 0) freed()
      else waiting.add(freed)
    },
  }
}

function pageHold(
  most: number,
  more: (credits: number) => Promise<OutOfCredits | undefined>,
  free: (credits: number | 'page') => void,
): PageHold {
  let mine = most
  let isOpen = true
  const shrink = (credits: number): void => {
    const rest = mine - credits
    mine = credits
    if (rest > 0) free(rest)
  }
  return {
    most,
    reserve: async (credits) => {
      if (credits <= mine) return
      const spent = await more(credits - mine)
      if (spent) throw tooDear(credits, spent)
      mine = credits
    },
    settle: async (credits) => shrink(credits),
    release: async () => shrink(0),
    close: () => {
      if (!isOpen) return
      isOpen = false
      free('page')
      free(mine)
    },
  }
}

const freePage: PageHold = { ...freeHold, close: () => undefined }

const tooFewLeft: OutOfCredits = { by: 'team', spent: 'The team has too few credits left.' }

function overCap(maxCredits: number): OutOfCredits {
  return { by: 'job', spent: `The job may use ${maxCredits} credits (maxCredits), and another page might cost more.` }
}

function tooDear(credits: number, { spent }: OutOfCredits): EngineError {
  const message = `This page costs ${credits} credits. ${spent}`
  return new EngineError('insufficient_credits', message, { details: { needed: credits } })
}
