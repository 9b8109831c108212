import { freeHold, type CreditHold } from '../../credits/hold.ts'
import { EngineError } from '@harvestman/ports'
import type { JobKit } from '../kit.ts'
import type { Opening } from '../log/facts.ts'
import type { JobState } from '../log/state.ts'
import { openAccount } from './job-account.ts'

/**
 * Budget of a job: the credits of its team, and its own `maxCredits`. Credits are set aside at the ledger for some
 * pages ahead, and what is kept in the log is settled there as one sum that grows: so however often that is told, it
 * is taken once. A job whose team has no bound tells the ledger when it begins and when it ends, and pays for no page.
 */
export interface Budget {
  /**
   * The hold of a page that costs at most so much, as far as that is known. When there is too little: `wait` while other
   * pages may give some back, else why.
   */
  open(most: number): Promise<PageHold | 'wait' | Spent>
  /** Calls back once, when other pages have given something back; at once, when none is under way any more. */
  whenFreed(freed: () => void): void
  /** Settles what is kept, soon. */
  settle(): void
  /** Settles what is kept, and gives the rest back. */
  close(): Promise<void>
}

/** Says why nothing more can be spent. */
export interface Spent {
  readonly spent: string
  readonly by: 'job' | 'team'
}

export interface PageHold extends CreditHold {
  /** Credits set aside when it was opened; absent where a page may cost what it will. */
  readonly most?: number
  /** The page is kept, or came to nothing. */
  close(): void
}

export interface BudgetOptions {
  readonly opening: Opening
  readonly state: JobState
  /** Pages that are known and not loaded yet. */
  readonly left: number
  readonly kit: JobKit
}

/** Opens the budget of a run. What earlier runs have kept and not settled is settled by this one. */
export async function openBudget({ opening, state, left, kit }: BudgetOptions): Promise<Budget> {
  const { maxCredits = Infinity } = opening.request as { readonly maxCredits?: number }
  const account = await openAccount({ opening, kept: state.tally.credits, left, maxCredits, kit })
  const { isBound } = account
  const isFree = !isBound && maxCredits === Infinity
  const underWay = makeUnderWay()
  let isClosed = false

  const needed = (): number => state.tally.credits + underWay.credits
  /** Sets so much more aside, for a new page or for one that turned out dearer; or says why that cannot be. */
  const reserve = async (more: number, isPage: boolean): Promise<Spent | undefined> => {
    const isOver = (): boolean => needed() + more > maxCredits
    if (isOver()) return overCap(maxCredits)
    if (!isBound || account.has(needed() + more, more)) return underWay.admit(more, isPage)
    return account.inTurn(async () => {
      // Others were admitted meanwhile.
      if (isOver()) return overCap(maxCredits)
      if (!(await account.covers(needed() + more, more))) return tooFewLeft
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

/** Pages under way and not kept yet, what they may cost, and who waits for some of that. */
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
  more: (credits: number) => Promise<Spent | undefined>,
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
    giveBack: async () => shrink(0),
    close: () => {
      if (!isOpen) return
      isOpen = false
      free('page')
      free(mine)
    },
  }
}

const freePage: PageHold = { ...freeHold, close: () => undefined }

const tooFewLeft: Spent = { by: 'team', spent: 'The team has too few credits left.' }

function overCap(maxCredits: number): Spent {
  return { by: 'job', spent: `The job may use ${maxCredits} credits (maxCredits), and another page might cost more.` }
}

function tooDear(credits: number, { spent }: Spent): EngineError {
  const message = `This page costs ${credits} credits. ${spent}`
  return new EngineError('insufficient_credits', message, { details: { needed: credits } })
}
