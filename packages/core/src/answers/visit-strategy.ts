// Strategy of a job that visits pages and builds its result from a value stored for each. Like a batch, but with other
// documents.
import { addressStrategy } from '../batch/strategy.ts'
import type { CreditHold } from '../credits/hold.ts'
import type { Fact, Opening } from '../jobs/log/facts.ts'
import type { KeepNotes, RunContext, Strategy } from '../jobs/run/strategy.ts'
import type { JobVisits, VisitKit } from '../plugin/job-pages.ts'
import type { PageRequest } from '../schema/crawl.ts'
import { decodeIfEncoded, loadedPage } from './part-work.ts'

export interface VisitOptions {
  readonly visits: JobVisits
  readonly request: unknown
  readonly page: PageRequest
  readonly services: unknown
  readonly opening: Opening
  readonly context: RunContext
  /** Throws if this engine lacks a port that the kind requires. */
  readonly ready: () => void
}

/** Request options that core handles for every kind that visits pages. */
interface KnownOptions {
  readonly maxCredits?: number
  readonly maxConcurrency?: number
  readonly timeout?: number
}

/**
 * Creates the strategy of a job that visits pages. A page that cannot be read counts as failed, and the job continues. It ends
 * after the request's `timeout` in milliseconds with the pages it has, and fails if no page was read.
 */
export function visitStrategy(options: VisitOptions): Strategy {
  const { visits, request, page, services, opening, context, ready } = options
  const { maxCredits, maxConcurrency, timeout } = request as KnownOptions
  const pages = {
    ...page,
    ...(maxCredits !== undefined && { maxCredits }),
    ...(maxConcurrency !== undefined && { maxConcurrency }),
  }
  const strategy = addressStrategy({ ...opening, request: pages }, context)
  return untilLate(timeout, context.signal, {
    ...strategy,
    receive: async ({ number }, { document }, hold) => {
      ready()
      const extras = makeExtras(hold, document.metadata.creditsUsed)
      const kit: VisitKit = { request, ports: services, signal: context.signal, pay: extras.pay }
      const visited = {
        ...loadedPage({ document }),
        place: number,
        formatValue: (format: string) => decodeIfEncoded(document[format]),
      }
      const value = await visits.read(visited, kit)
      return { document: { json: value, metadata: { ...document.metadata, creditsUsed: extras.spent() } } }
    },
  })
}

/** Ends the job at its timeout with the pages it has. Without any page, the job fails. */
function untilLate(timeout: number | undefined, signal: AbortSignal, strategy: Strategy): Strategy {
  let isLate = false
  let pages = 0
  let failure: string | undefined
  const fold = (fact: Fact): void => {
    strategy.fold(fact)
    if (fact.is === 'noted' && (fact.note as { readonly late?: boolean }).late === true) isLate = true
    if (fact.is === 'page') pages += 1
    if (fact.is === 'failed') failure ??= fact.message
  }
  return {
    ...strategy,
    // The snapshot of the inner strategy does not contain the state folded here.
    inParts: undefined,
    fold,
    explore: async (note) => {
      await strategy.explore(note)
      if (timeout !== undefined && !isLate) endAfter(timeout, note, signal)
    },
    take: (host) => (isLate ? undefined : strategy.take(host)),
    left: () => (isLate ? 0 : strategy.left()),
    verdict: () => {
      const late = isLate ? `It ended after ${timeout} ms (timeout), before all pages were read.` : undefined
      if (pages === 0) return { status: 'failed', message: late ?? failure ?? 'No page has a value.' }
      return { status: 'completed', ...(late !== undefined && { message: late }) }
    },
  }
}

function endAfter(timeout: number, note: KeepNotes, signal: AbortSignal): void {
  const timer = setTimeout(() => void note([{ late: true }]), timeout)
  timer.unref()
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

/** Charges for work on a page in addition to the page itself, one operation at a time. */
function makeExtras(hold: CreditHold, page: number): { readonly pay: VisitKit['pay']; spent(): number } {
  let spent = page
  const pay: VisitKit['pay'] = async (credits, work, price = () => credits) => {
    await hold.reserve(spent + credits)
    let cost = 0
    try {
      const result = await work()
      cost = Math.min(credits, price(result))
      return result
    } finally {
      spent += cost
      if (cost < credits) await hold.settle(spent)
    }
  }
  return { pay, spent: () => spent }
}
