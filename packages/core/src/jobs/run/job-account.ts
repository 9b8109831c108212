import { tariff } from '../../credits/tariff.ts'
import { EngineError, elapsed } from '@harvestman/ports'
import { hash64 } from '@harvestman/toolbox/hash64'
import { makeSequence } from '@harvestman/toolbox/sequence'
import { heartbeat } from '@harvestman/coordination'
import type { JobKit } from '../kit.ts'
import type { Opening } from '../log/facts.ts'
import type { JobState } from '../log/state.ts'

/** A job's account in the ledger: the settled credits and the credits reserved beyond them. */
export interface JobAccount {
  /** True if the team can run out of credits. */
  readonly isBound: boolean
  /** Runs ledger calls one at a time: each one replaces the total, so they must not overtake each other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Returns whether `needed` credits are reserved. If the reserve is nearly used up, requests more in the background. */
  has(needed: number, page: number): boolean
  /** Like `has`, but reserves missing credits now, together with the price of some pages ahead. Call it inside `inTurn`. */
  covers(needed: number, page: number): Promise<boolean>
  /** Schedules settling of the credits that `stored` returns by then. The rest of the reservation stays for the next pages. */
  settleSoon(stored: () => number): void
  /** Settles and releases the rest of the reservation. If the job has ended, nothing more can be charged for it. */
  close(end: () => JobState['tally']): Promise<void>
}

/**
 * Number of pages whose credits are reserved ahead, from `least` to `most`. It doubles if the last reservation lasted less than
 * `lasts` milliseconds and halves otherwise. Above `least`, it is limited to `part` of the team's remaining credits.
 */
const ahead = { least: 16, most: 1_024, lasts: 5_000, part: 1 / 1_000 }
/**
 * Milliseconds between two settlements. All jobs of a team update the same record, so the jobs of an engine settle at the same,
 * infrequent moments.
 */
const settleEvery = 1_000
/** Milliseconds after which a reservation expires unless this engine renews it, and the renewal interval. */
export const heldFor = 600_000
const renewEvery = 180_000

export interface AccountOptions {
  readonly opening: Opening
  /** Total price of the pages that earlier runs stored. */
  readonly stored: number
  /** Number of known pages that are not loaded yet. */
  readonly left: number
  readonly maxCredits: number
  readonly kit: Pick<JobKit, 'ledger' | 'clock' | 'owner'>
}

/**
 * Opens the account of a job: settles the pages of earlier runs and reserves credits for the known ones. If the team has too
 * few credits for that, it reserves none. Rejects if the ledger fails.
 */
export async function openAccount({ opening, stored, left, maxCredits, kit }: AccountOptions): Promise<JobAccount> {
  const { id: task, team, key } = opening
  const { ledger } = kit
  const sequence = makeSequence()
  const sums = makeSums(opening, stored, kit)
  const further = makeFurther(sums, sequence.run, maxCredits, kit)
  const settleSoon = makeSoon(kit, (stored) => sequence.run(() => sums.settle(stored())))
  // Settle the pages of earlier runs first, then reserve the minimum price of the known pages.
  await ledger.settle({ team, task, credits: stored, hold: 'rest', key })
  const isBound = await sums.hold(Math.min(left * tariff.page, maxCredits)).catch((error: unknown) => {
    if (!isTooFew(error)) throw error
    return sums.hold(0)
  })
  const stopBeating = isBound ? heartbeat(() => sequence.run(() => sums.hold(sums.held)), renewEvery) : () => undefined

  return {
    isBound,
    inTurn: sequence.run,
    has: (needed, page) => {
      // Credits that are being settled right now are part of one of these two sums.
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

/**
 * The settled and the reserved credits of a job, and `plenty`: how much of the team's remaining credits it may reserve ahead.
 */
interface Sums {
  readonly settled: number
  readonly held: number
  readonly plenty: number
  /** Sets the reservation to `credits`. Returns whether the team can run out of credits. */
  hold(credits: number): Promise<boolean>
  settle(credits: number): Promise<void>
}

function makeSums({ id: task, team, expiresAt, key }: Opening, stored: number, kit: AccountOptions['kit']): Sums {
  const { ledger, clock } = kit
  const bits = { from: stored, until: expiresAt }
  const sums = {
    settled: stored,
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

/** Reserves credits for the next pages. */
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
  /** Returns the number of credits to reserve ahead, for pages of price `page`. */
  const holdAhead = (page: number): number => {
    const at = elapsed(clock)
    const isQuick = at - last.at < ahead.lasts
    const pages = isQuick ? Math.min(last.pages * 2, ahead.most) : Math.max(last.pages / 2, ahead.least)
    last = { pages, at }
    return Math.max(page * ahead.least, Math.min(page * pages, sums.plenty))
  }
  /** Reserves the needed credits plus some for the next pages; only the needed ones if the team has too few. */
  const hold = async (needed: number, page: number): Promise<boolean> => {
    const exactly = needed - sums.settled
    const total = Math.min(exactly + holdAhead(page), Math.max(maxCredits - sums.settled, exactly))
    if (total > sums.held) isShort = !(await mayHold(total))
    return exactly <= sums.held || mayHold(exactly)
  }
  return {
    hold,
    /**
     * Reserves ahead in the background so that pages do not wait. Skipped if the reservation made at the start has sufficed so
     * far or `maxCredits` is fully reserved.
     */
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

/** Settles at intervals, at different moments in each engine. */
function makeSoon({ clock, owner }: AccountOptions['kit'], settle: (stored: () => number) => Promise<void>) {
  const phase = phaseOf(owner)
  let settling: NodeJS.Timeout | undefined
  return {
    begin: (stored: () => number): void => {
      settling ??= setTimeout(
        () => {
          settling = undefined
          void settle(stored).catch(() => undefined)
        },
        settleEvery - ((elapsed(clock) + phase) % settleEvery),
      ).unref()
    },
    stop: (): void => clearTimeout(settling),
  }
}

/** Offset in milliseconds derived from the engine's id, so that engines do not all settle at the same moment. */
function phaseOf(owner: string): number {
  const hash = { high: 0, low: 0 }
  hash64(owner, hash)
  return (hash.low >>> 0) % settleEvery
}

function isTooFew(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'insufficient_credits'
}
