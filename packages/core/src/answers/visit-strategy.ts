// The way of a job that visits pages and makes its answer of what it kept of each: that of a batch, with other documents.
import { addressStrategy } from '../batch/strategy.ts'
import type { Purse } from '../credits/purse.ts'
import type { Opening } from '../jobs/log/facts.ts'
import type { RunContext, Strategy } from '../jobs/run/strategy.ts'
import type { JobVisits, VisitKit } from '../plugin/job.ts'
import type { PageRequest } from '../schema/crawl.ts'
import { loadedPage } from './part-work.ts'

export interface VisitOptions {
  readonly visits: JobVisits
  readonly request: unknown
  readonly services: unknown
  readonly opening: Opening
  readonly context: RunContext
  /** Throws where this engine lacks what the kind cannot do without. */
  readonly ready: () => void
}

export function visitStrategy({ visits, request, services, opening, context, ready }: VisitOptions): Strategy {
  const { page, maxCredits } = opening.request as { readonly page: PageRequest; readonly maxCredits?: number }
  const pages = { ...page, ...(maxCredits !== undefined && { maxCredits }) }
  const strategy = addressStrategy({ ...opening, request: pages }, context)
  let failure: string | undefined
  let count = 0
  return {
    ...strategy,
    fold: (fact) => {
      strategy.fold(fact)
      if (fact.is === 'page') count += 1
      if (fact.is === 'failed') failure ??= fact.message
    },
    receive: async ({ number }, { document }, purse) => {
      ready()
      const extras = makeExtras(purse, document.metadata.creditsUsed)
      const kit: VisitKit = { request, ports: services, signal: context.signal, pay: extras.pay }
      const value = await visits.read({ ...loadedPage(document), place: number }, kit)
      return { document: { json: value, metadata: { ...document.metadata, creditsUsed: extras.spent() } } }
    },
    verdict: () =>
      count === 0 && failure !== undefined ? { status: 'failed', message: failure } : { status: 'completed' },
  }
}

/** Pays for what is done with a page on top of the page itself, one after the other. */
function makeExtras(purse: Purse, page: number): { readonly pay: VisitKit['pay']; spent(): number } {
  let spent = page
  const pay: VisitKit['pay'] = async (credits, work, price = () => credits) => {
    await purse.reserve(spent + credits)
    let cost = 0
    try {
      const result = await work()
      cost = Math.min(credits, price(result))
      return result
    } finally {
      spent += cost
      if (cost < credits) await purse.settle(spent)
    }
  }
  return { pay, spent: () => spent }
}
