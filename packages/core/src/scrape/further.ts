// Further pages of a scrape that its formats load, such as the next pages of a list.
import { EngineError } from '@harvestman/ports'
import { makeSequence } from '@harvestman/toolbox/sequence'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import type { FurtherPage, WantedPage } from '../plugin/field.ts'
import type { ScrapeContext } from './context.ts'
import { loadAndRead } from './load-and-read.ts'
import type { FurtherPages } from './made.ts'
import { makePlan, type Plan } from './plan.ts'
import { policyReadings } from './policies.ts'
import { errorOfReading } from './reader.ts'
import { readingOf, type Reading } from './readings.ts'

/**
 * Creates the loader of further pages for one scrape. Each page is loaded with the same loaders, rules and deadline as the
 * first one, and priced as a page. Loading rejects with the errors of a scrape, and throws a `TypeError` for more pages than
 * the format has declared.
 */
export function makeFurtherPages(context: ScrapeContext): FurtherPages {
  const { plan, hold } = context
  const most = plan.pricing.atMost(plan)
  let credits = 0
  // One page at a time, so as not to overload the host.
  const loads = makeSequence()
  const load = async (
    { url: to, reading, options }: WantedPage,
    signal: AbortSignal,
    plugin: string,
  ): Promise<FurtherPage> => {
    signal.throwIfAborted()
    const wanted = readingOf(reading, options, plugin)
    const own = planOf(to, wanted, context)
    await hold.reserve(most + credits + own.pricing.atMost(own))
    const { timeLeft } = context.time
    const time = { signal, timeLeft, check: () => signal.throwIfAborted() }
    const { visit, content, isScreened } = await loadAndRead({ ...context, plan: own, time, steps: undefined })
    const { url, status, proxyUsed } = visit.page
    const hasEnhancedProxy = proxyUsed === 'stealth' && visit.cacheState !== 'hit'
    credits += own.pricing.price({
      formats: [],
      units: content.units,
      hasEnhancedProxy,
      mayKeep: own.mayKeep,
      isRedacted: false,
      isScreened,
    })
    const failure = content.failures[wanted.field]
    if (failure) throw errorOfReading(failure)
    return { url, status, value: content.values[wanted.field] }
  }
  return {
    loaderFor: (most, signal, plugin) => {
      let left = most
      return (wanted, own = signal) => {
        if (--left < 0)
          throw new TypeError(`A format may load at most ${most} further pages, as declared in \`loads\`.`)
        const either = AbortSignal.any([signal, own])
        return untilAborted(
          loads.run(() => load(wanted, either, plugin)),
          either,
        )
      }
    },
    get credits() {
      return credits
    },
  }
}

/** Plans the load of another URL with the options of the first page, without actions and formats, for one reading. */
function planOf(url: string, wanted: Reading, { plan, kit }: ScrapeContext): Plan {
  const target = URL.parse(url)
  if (!target) throw new EngineError('invalid_request', `The page links to ${url}, which is not a URL.`)
  // The caller's own headers are sent to the original origin only.
  const headers = target.origin === plan.url.origin ? plan.request.headers : {}
  const request = { ...plan.request, url: target.href, headers, formats: [], actions: [] }
  const further = makePlan(request, kit, { readings: [wanted], pricing: plan.pricing })
  const ofPolicies = new Set(policyReadings(kit.registry.policies).map(({ field }) => field))
  const readings = further.readings.filter(
    ({ field }) => field === wanted.field || field === 'page.shell' || ofPolicies.has(field),
  )
  return { ...further, keepers: [], readings }
}
