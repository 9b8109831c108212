// Strategy of a job that is a single operation with a single result. Its findings are stored step by step, so that the next
// worker continues from there. It is charged as a whole when it has its result.
import { splitHold, type HoldParts } from '../credits/parts.ts'
import { freeHold, payFor, type CreditHold } from '../credits/hold.ts'
import { EngineError, type Json } from '@harvestman/ports'
import type { Opening } from '../jobs/log/facts.ts'
import type { Attempt, KeepNotes, PageOutcome, RunContext, Strategy, WorkToDo } from '../jobs/run/strategy.ts'
import type { KeptStep } from '../plugin/job.ts'
import type { Caller } from '../scrape/caller.ts'

/** A running operation. */
export interface Work<Step> {
  /** Steps stored so far, with their times. */
  readonly steps: readonly KeptStep<Step>[]
  /** Credits spent so far. */
  readonly spent: number
  readonly signal: AbortSignal
  /** Stores findings. Resolves when they are stored. */
  keep(...steps: readonly Step[]): Promise<void>
  /** Returns the caller for a part that is paid from the hold of the operation: a page, a search. */
  part(signal?: AbortSignal): Caller
  /** Returns the caller for a part that is paid for elsewhere. */
  unpaid(signal?: AbortSignal): Caller
  /** Runs a part without a fixed price: reserves `most` credits, then charges `price(result)`. */
  pay<Result>(most: number, price: (result: Result) => number, work: () => Promise<Result>): Promise<Result>
}

export interface WorkOptions<Step> {
  readonly opening: Opening
  readonly context: RunContext
  /** Placeholder URL of the operation, as its page URL. */
  readonly address: string
  /** Minimum price in credits. */
  readonly credits: number
  /** Maximum price in credits; unlimited if absent. */
  readonly maxCredits?: number | undefined
  readonly run: (work: Work<Step>) => Promise<Json>
}

/**
 * Creates the strategy of a job that is a single operation. If the operation fails, so does the job. After a restart it runs
 * again and receives the steps that it has stored.
 */
export function workStrategy<Step>(options: WorkOptions<Step>): Strategy {
  const { opening, context, address, credits, maxCredits } = options
  const task = { number: 0, url: address, host: opening.id }
  const steps: KeptStep<Step>[] = []
  let spent = 0
  let [isDone, isWaiting] = [false, false]
  let failure: string | undefined
  let keepNotes: KeepNotes = () => Promise.reject(new EngineError('internal', 'The work began before its job.'))

  const work: WorkToDo['work'] = async (visit, hold): Promise<PageOutcome> => {
    const parts = splitHold(hold, maxCredits)
    // Charges what earlier workers have spent on the operation.
    await payPart(parts, spent)
    const keep = (found: readonly Step[]): Promise<void> =>
      keepNotes(found.map((step) => ({ step: step as Json, spent: parts.spent })))
    const value = await options.run(workOf(opening, { visit, parts, steps, keep }))
    const metadata = { ...nowhere, sourceURL: address, url: address, scrapeId: visit.id, creditsUsed: parts.spent }
    return { document: { json: value, metadata } }
  }

  return {
    concurrency: 1,
    fold: (fact) => {
      if (fact.is === 'noted') {
        const note = fact.note as { readonly step: Step; readonly spent: number }
        steps.push({ at: fact.at, step: note.step })
        spent = note.spent
      }
      if (fact.is === 'page' || fact.is === 'failed' || fact.is === 'dropped') isDone = true
      if (fact.is === 'failed') failure = fact.message
    },
    explore: async (note) => {
      keepNotes = note
      if (isDone) return
      isWaiting = true
      context.offer(task.host)
    },
    take: () => {
      if (!isWaiting) return undefined
      isWaiting = false
      return task
    },
    putBack: () => {
      isWaiting = true
    },
    prepare: () => ({ credits, work }),
    receive: () => ({}),
    left: () => (isDone ? 0 : 1),
    verdict: () => (failure === undefined ? { status: 'completed' } : { status: 'failed', message: failure }),
  }
}

interface WorkParts<Step> {
  readonly visit: Attempt
  readonly parts: HoldParts
  readonly steps: readonly KeptStep<Step>[]
  readonly keep: (found: readonly Step[]) => Promise<void>
}

function workOf<Step>(opening: Opening, { visit, parts, steps, keep }: WorkParts<Step>): Work<Step> {
  let count = steps.length
  const caller = (hold: CreditHold, signal: AbortSignal): Caller => {
    count += 1
    const { team, id: group } = opening
    return { team, id: visit.id, task: `${visit.key}/${count}`, signal, keep: false, group, hold }
  }
  return {
    steps,
    signal: visit.signal,
    get spent() {
      return parts.spent
    },
    keep: (...found) => keep(found),
    part: (signal = visit.signal) => caller(parts.open(), signal),
    unpaid: (signal = visit.signal) => caller(freeHold, signal),
    pay: (most, price, work) => payFor({ hold: parts.open(), most, price, race: (one) => one }, work),
  }
}

const nowhere = { statusCode: 200, proxyUsed: 'basic' } as const

async function payPart(parts: HoldParts, credits: number): Promise<void> {
  if (credits === 0) return
  const part = parts.open()
  await part.reserve(credits)
  await part.settle(credits)
}
