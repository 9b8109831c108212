import { freePurse, type Purse } from '../../credits/purse.ts'
import { tariff } from '../../credits/tariff.ts'
import { EngineError } from '../../errors/error.ts'
import type { JobKit } from '../kit.ts'
import type { Opening } from '../log/facts.ts'
import type { JobState } from '../log/state.ts'

/**
 * What a job may spend: of the credits of its team, and of its own `maxCredits`. Credits are set aside at the ledger for
 * some pages ahead, and what is kept in the log is settled there as one sum that grows: so however often that is told, it
 * is taken once. A job whose team has no bound tells the ledger when it begins and when it ends, and pays for no page.
 */
export interface Budget {
  /**
   * The purse of a page that costs at most so much, as far as that is known. When there is too little: `wait` while other
   * pages may give some back, else why.
   */
  open(most: number): Promise<PagePurse | 'wait' | Spent>
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

export interface PagePurse extends Purse {
  /** The page is kept, or came to nothing. */
  close(): void
}

/** Pages for which credits are set aside at once. */
const ahead = 16
/** How long credits are set aside without a word from this engine, and how often it gives one, in milliseconds. */
export const heldFor = 600_000
const renewEvery = 180_000

export interface BudgetOptions {
  readonly opening: Opening
  readonly state: JobState
  /** Pages that are known and not loaded yet. */
  readonly left: number
  readonly kit: JobKit
}

/** Opens the budget of a run. What earlier runs have kept and not settled is settled by this one. */
export async function openBudget({ opening, state, left, kit }: BudgetOptions): Promise<Budget> {
  const { id, team, expiresAt, key } = opening
  const { ledger, clock } = kit
  const { maxCredits = Infinity } = opening.request as { readonly maxCredits?: number }
  const bits = { from: state.tally.credits, until: expiresAt }
  const waiting = new Set<() => void>()
  /** What was settled and what is set aside beyond that, as the ledger knows it. */
  let [settled, held] = [state.tally.credits, 0]
  /** What pages under way and not kept yet may cost. */
  let reserved = 0
  let pages = 0
  let isClosed = false
  let working: Promise<void> = Promise.resolve()

  const needed = (): number => state.tally.credits + reserved
  const holdAtLedger = async (credits: number): Promise<boolean> => {
    const until = clock.now() + heldFor
    const { isBound } = await ledger.hold({ team, task: id, credits, until, by: kit.owner, bits })
    held = credits
    return isBound
  }
  /** One after the other, or the sums would overtake each other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = working.then(work)
    working = done.then(
      () => undefined,
      () => undefined,
    )
    return done
  }
  // What was kept before this run and not settled; and then the least that the pages cost which are known.
  await ledger.settle({ team, task: id, credits: settled, hold: 'rest', key })
  const isBound = await holdAtLedger(Math.min(left * tariff.page, maxCredits)).catch((error: unknown) => {
    if (!isTooFew(error)) throw error
    return holdAtLedger(0)
  })
  const isFree = !isBound && maxCredits === Infinity

  const admit = (credits: number, isPage: boolean): undefined => {
    reserved += credits
    if (isPage) pages += 1
  }
  /** Has so much set aside beyond what is settled, for some pages ahead where there is so much; whether it is there. */
  const holdUpTo = async (exactly: number, more: number): Promise<boolean> => {
    const wishes = [Math.min(exactly + more * ahead, Math.max(maxCredits - settled, exactly)), exactly]
    for (const credits of wishes) {
      const isThere = await holdAtLedger(credits).then(
        () => true,
        (error: unknown) => {
          if (isTooFew(error)) return false
          throw error
        },
      )
      if (isThere) return true
    }
    return false
  }
  /** Sets so much more aside, for a new page or for one that turned out dearer; or says why that cannot be. */
  const reserve = async (more: number, isPage: boolean): Promise<Spent | undefined> => {
    const isOver = (): boolean => needed() + more > maxCredits
    if (isOver()) return overCap(maxCredits)
    if (!isBound) return admit(more, isPage)
    return inTurn(async () => {
      // Others were admitted meanwhile.
      if (isOver()) return overCap(maxCredits)
      const exactly = needed() + more - settled
      if (exactly > held && !(await holdUpTo(exactly, more))) return tooFewLeft
      return admit(more, isPage)
    })
  }
  const free = (credits: number): void => {
    reserved -= credits
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  }
  const settleKept = (): Promise<void> =>
    inTurn(async () => {
      const { credits } = state.tally
      if (credits === settled) return
      // What was set aside beyond the pages under way stays for the next ones.
      const rest = Math.max(settled + held - credits, 0)
      await ledger.settle({ team, task: id, credits, hold: rest, key })
      settled = credits
      held = rest
    })
  let isSettling = false
  const settleSoon = (): void => {
    if (!isBound || isSettling || isClosed) return
    isSettling = true
    void settleKept()
      .catch(() => undefined)
      .finally(() => (isSettling = false))
  }
  const renewing = isBound
    ? setInterval(() => void inTurn(() => holdAtLedger(held)).catch(() => undefined), renewEvery).unref()
    : undefined

  return {
    whenFreed: (freed) => {
      if (pages === 0) freed()
      else waiting.add(freed)
    },
    open: async (most) => {
      if (isFree) return freePage
      const spent = await reserve(most, true)
      if (spent) return pages > 0 ? 'wait' : spent
      return pagePurse(
        most,
        (credits) => reserve(credits, false),
        (credits) => {
          if (credits === 'page') pages -= 1
          else free(credits)
        },
      )
    },
    settle: settleSoon,
    close: async () => {
      isClosed = true
      clearInterval(renewing)
      await working
      const { credits, status } = state.tally
      await ledger.settle({ team, task: id, credits, key, ...(status === 'scraping' && { hold: 0 }) })
    },
  }
}

function pagePurse(
  most: number,
  more: (credits: number) => Promise<Spent | undefined>,
  free: (credits: number | 'page') => void,
): PagePurse {
  let mine = most
  let isOpen = true
  const shrink = (credits: number): void => {
    const rest = mine - credits
    mine = credits
    if (rest > 0) free(rest)
  }
  return {
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

const freePage: PagePurse = { ...freePurse, close: () => undefined }

const tooFewLeft: Spent = { by: 'team', spent: 'The team has too few credits left.' }

function overCap(maxCredits: number): Spent {
  return { by: 'job', spent: `The job may use ${maxCredits} credits (maxCredits), and another page might cost more.` }
}

function tooDear(credits: number, { spent }: Spent): EngineError {
  const message = `This page costs ${credits} credits. ${spent}`
  return new EngineError('insufficient_credits', message, { details: { needed: credits } })
}

function isTooFew(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'insufficient_credits'
}
