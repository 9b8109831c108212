import { tariff } from '../../credits/tariff.ts'
import { EngineError } from '@harvestman/ports'
import { elapsed, hash64, makeSequence } from '@harvestman/ports/adapters'
import { heartbeat } from '@harvestman/coordination'
import type { JobKit } from '../kit.ts'
import type { Opening } from '../log/facts.ts'
import type { JobState } from '../log/state.ts'

/** Account of a job at the ledger: what is settled, and what is set aside beyond that. */
export interface JobAccount {
  /** True when the team can run out of credits. */
  readonly isBound: boolean
  /** Has the ledger do one thing after the other, or the sums would overtake each other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** True when all that is needed is set aside. When that will soon not be so, more is asked for meanwhile. */
  has(needed: number, page: number): boolean
  /** Does the same in turn. Sets aside now what is missing, with the price of some pages ahead. */
  covers(needed: number, page: number): Promise<boolean>
  /** Settles what is kept by then, soon. What was set aside beyond that stays for the next pages. */
  settleSoon(kept: () => number): void
  /** Settles, and gives the rest back. */
  close(end: () => JobState['tally']): Promise<void>
}

/**
 * Pages for which credits are set aside at once, at least and at most: more and more while that lasts for less than so
 * many milliseconds, as far as that is this part of what the team has left.
 */
const ahead = { least: 16, most: 1_024, lasts: 5_000, part: 1 / 1_000 }
/** All jobs of a team write one value, so they settle together and now and then, in milliseconds. */
const settleEvery = 1_000
/** Milliseconds that credits are set aside without a word from this engine, and between two words of it. */
export const heldFor = 600_000
const renewEvery = 180_000

export interface AccountOptions {
  readonly opening: Opening
  /** Price of the pages that were kept before. */
  readonly kept: number
  /** Pages that are known and not loaded yet. */
  readonly left: number
  readonly maxCredits: number
  readonly kit: Pick<JobKit, 'ledger' | 'clock' | 'owner'>
}

export async function openAccount({ opening, kept, left, maxCredits, kit }: AccountOptions): Promise<JobAccount> {
  const { id: task, team, key } = opening
  const { ledger } = kit
  const sequence = makeSequence()
  const sums = makeSums(opening, kept, kit)
  const further = makeFurther(sums, sequence.run, maxCredits, kit)
  const settleSoon = makeSoon(kit, (kept) => sequence.run(() => sums.settle(kept())))
  // First settle what was kept before this run; then set aside the least that the pages cost which are known.
  await ledger.settle({ team, task, credits: kept, hold: 'rest', key })
  const isBound = await sums.hold(Math.min(left * tariff.page, maxCredits)).catch((error: unknown) => {
    if (!isTooFew(error)) throw error
    return sums.hold(0)
  })
  const stopBeating = isBound ? heartbeat(() => sequence.run(() => sums.hold(sums.held)), renewEvery) : () => undefined

  return {
    isBound,
    inTurn: sequence.run,
    has: (needed, page) => {
      // Credits that are being settled are in one of these two sums.
      const rest = sums.settled + sums.held - needed
      if (rest >= 0 && rest < (page * ahead.least) / 2) further.ask(needed, page)
      return rest >= 0
    },
    covers: async (needed, page) => needed <= sums.settled + sums.held || further.hold(needed, page),
    settleSoon: settleSoon.begin,
    close: async (end) => {
      stopBeating()
      settleSoon.stop()
      further.stop()
      await sequence.idle()
      const { credits, status } = end()
      await ledger.settle({ team, task, credits, key, ...(status === 'scraping' && { hold: 0 }) })
    },
  }
}

/** The two sums that the ledger knows of a job, and what the team has left beside them. */
interface Sums {
  readonly settled: number
  readonly held: number
  readonly plenty: number
  /** Sets so much aside. Gives whether the team can run out of credits. */
  hold(credits: number): Promise<boolean>
  settle(credits: number): Promise<void>
}

function makeSums({ id: task, team, expiresAt, key }: Opening, kept: number, kit: AccountOptions['kit']): Sums {
  const { ledger, clock } = kit
  const bits = { from: kept, until: expiresAt }
  const sums = {
    settled: kept,
    held: 0,
    plenty: 0,
    hold: async (credits: number): Promise<boolean> => {
      const until = clock.now() + heldFor
      const { isBound, credits: more = 0 } = await ledger.hold({ team, task, credits, until, by: kit.owner, bits })
      sums.held = credits
      sums.plenty = Math.floor(more * ahead.part)
      return isBound
    },
    settle: async (credits: number): Promise<void> => {
      if (credits === sums.settled) return
      const rest = Math.max(sums.settled + sums.held - credits, 0)
      await ledger.settle({ team, task, credits, hold: rest, key })
      sums.settled = credits
      sums.held = rest
    },
  }
  return sums
}

/** Sets aside what further pages need. */
function makeFurther(sums: Sums, inTurn: JobAccount['inTurn'], maxCredits: number, { clock }: AccountOptions['kit']) {
  let last = { pages: ahead.least, at: -Infinity }
  let [isAsking, isShort, isClosing] = [false, false, false]

  const mayHold = async (credits: number): Promise<boolean> => {
    try {
      await sums.hold(credits)
      return true
    } catch (error) {
      if (isTooFew(error)) return false
      throw error
    }
  }
  /** Credits to set aside beyond what is needed now, when a page costs so much. */
  const holdAhead = (page: number): number => {
    const at = elapsed(clock)
    const isQuick = at - last.at < ahead.lasts
    const pages = isQuick ? Math.min(last.pages * 2, ahead.most) : Math.max(last.pages / 2, ahead.least)
    last = { pages, at }
    return Math.max(page * ahead.least, Math.min(page * pages, sums.plenty))
  }
  /** Sets aside what is needed, with more for the next pages; when that is not there, only what is needed. */
  const hold = async (needed: number, page: number): Promise<boolean> => {
    const exactly = needed - sums.settled
    const wished = Math.min(exactly + holdAhead(page), Math.max(maxCredits - sums.settled, exactly))
    if (wished > sums.held) isShort = !(await mayHold(wished))
    return exactly <= sums.held || mayHold(exactly)
  }
  return {
    hold,
    /** Before it is needed, so that pages do not wait for it; but not for a job for which all was set aside when it began. */
    ask: (needed: number, page: number): void => {
      const isEnough = last.at === -Infinity || sums.settled + sums.held >= maxCredits
      if (isAsking || isShort || isClosing || isEnough) return
      isAsking = true
      inTurn(() => hold(needed, page))
        .catch(() => undefined)
        .finally(() => (isAsking = false))
    },
    stop: (): void => void (isClosing = true),
  }
}

/** Settles now and then, each engine at moments of its own. */
function makeSoon({ clock, owner }: AccountOptions['kit'], settle: (kept: () => number) => Promise<void>) {
  const phase = phaseOf(owner)
  let settling: NodeJS.Timeout | undefined
  return {
    begin: (kept: () => number): void => {
      settling ??= setTimeout(
        () => {
          settling = undefined
          void settle(kept).catch(() => undefined)
        },
        settleEvery - ((elapsed(clock) + phase) % settleEvery),
      ).unref()
    },
    stop: (): void => clearTimeout(settling),
  }
}

/** Milliseconds that differ among engines, which would be in each other's way when they settle at the same moment. */
function phaseOf(owner: string): number {
  const hash = { high: 0, low: 0 }
  hash64(owner, hash)
  return (hash.low >>> 0) % settleEvery
}

function isTooFew(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'insufficient_credits'
}
