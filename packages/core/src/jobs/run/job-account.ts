import { tariff } from '../../credits/tariff.ts'
import { EngineError } from '../../errors/error.ts'
import type { JobKit } from '../kit.ts'
import type { Opening } from '../log/facts.ts'
import type { JobState } from '../log/state.ts'

/** What the ledger knows of a job: what is settled, and what is set aside beyond that. */
export interface JobAccount {
  /** Whether the team can run out of credits. */
  readonly isBound: boolean
  /** Has the ledger do one thing after the other, or the sums would overtake each other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** In turn: whether all that is needed is set aside. If not, it is, with as much as one page costs for some pages ahead. */
  covers(needed: number, page: number): Promise<boolean>
  /** Settles what is kept by then. What was set aside beyond that stays for the next pages. */
  settle(kept: () => number): Promise<void>
  /** Settles, and gives the rest back. */
  close(end: () => JobState['tally']): Promise<void>
}

/** Pages for which credits are set aside at once. */
const ahead = 16
/** How long credits are set aside without a word from this engine, and how often it gives one, in milliseconds. */
export const heldFor = 600_000
const renewEvery = 180_000

export interface AccountOptions {
  readonly opening: Opening
  /** What the pages cost that were kept before. */
  readonly kept: number
  /** Pages that are known and not loaded yet. */
  readonly left: number
  readonly maxCredits: number
  readonly kit: JobKit
}

// oxlint-disable-next-line max-lines-per-function -- the verbs of one account, over the two sums that the ledger knows
export async function openAccount({ opening, kept, left, maxCredits, kit }: AccountOptions): Promise<JobAccount> {
  const { id: task, team, expiresAt, key } = opening
  const { ledger, clock } = kit
  const bits = { from: kept, until: expiresAt }
  let [settled, held] = [kept, 0]
  let working: Promise<void> = Promise.resolve()

  const hold = async (credits: number): Promise<boolean> => {
    const until = clock.now() + heldFor
    const { isBound } = await ledger.hold({ team, task, credits, until, by: kit.owner, bits })
    held = credits
    return isBound
  }
  const mayHold = async (credits: number): Promise<boolean> => {
    try {
      await hold(credits)
      return true
    } catch (error) {
      if (isTooFew(error)) return false
      throw error
    }
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = working.then(work)
    working = done.then(
      () => undefined,
      () => undefined,
    )
    return done
  }

  // What was kept before this run and not settled; and then the least that the pages cost which are known.
  await ledger.settle({ team, task, credits: settled, hold: 'rest', key })
  const isBound = await hold(Math.min(left * tariff.page, maxCredits)).catch((error: unknown) => {
    if (!isTooFew(error)) throw error
    return hold(0)
  })
  const renewing = isBound
    ? setInterval(() => void inTurn(() => hold(held)).catch(() => undefined), renewEvery).unref()
    : undefined

  return {
    isBound,
    inTurn,
    covers: async (needed, page) => {
      const exactly = needed - settled
      if (exactly <= held) return true
      const wished = Math.min(exactly + page * ahead, Math.max(maxCredits - settled, exactly))
      return (await mayHold(wished)) || mayHold(exactly)
    },
    settle: (kept) =>
      inTurn(async () => {
        const credits = kept()
        if (credits === settled) return
        const rest = Math.max(settled + held - credits, 0)
        await ledger.settle({ team, task, credits, hold: rest, key })
        settled = credits
        held = rest
      }),
    close: async (end) => {
      clearInterval(renewing)
      await working
      const { credits, status } = end()
      await ledger.settle({ team, task, credits, key, ...(status === 'scraping' && { hold: 0 }) })
    },
  }
}

function isTooFew(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'insufficient_credits'
}
