import { maxUnits } from '../credits/max-units.ts'
import { maxFurtherPages } from '../credits/pricing.ts'
import { searchPrice, tariff } from '../credits/tariff.ts'
import { checkFormatScope } from '../gates/scopes.ts'
import type { TeamCall } from '../plugin/admission.ts'
import { priceOfPages, type Preview, type PriceReason } from '../plugin/price.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import { isPrivate, type SearchRequest } from '../schema/search.ts'
import { makePlan, type Plan, type PlanKit } from '../scrape/plan.ts'
import type { Wants } from '../scrape/readings.ts'

/** Returns the price of a map in credits. */
export function mapCost(): Preview {
  return { min: tariff.map, max: tariff.map, reasons: [fixed('A map', tariff.map)] }
}

/**
 * Returns the price of a scrape in credits, without running it. Throws `scope_missing` if the call may not use one of the
 * formats, and the error of the scrape, such as `not_configured`, if the engine lacks what the request needs.
 */
export function scrapeCost(request: ScrapeRequest, kit: PlanKit, wants: Wants = {}, call: TeamCall = {}): Preview {
  checkFormatScope(request.formats, call, kit.registry.formats)
  const plan = makePlan(request, kit, wants)
  const { pricing } = plan
  const units = maxUnits(request, kit.registry.parsers)
  const max = pricing.isBounded(plan) ? { max: pricing.atMost(plan, units) + maxFurtherPages(plan).credits } : {}
  const expected = pricing.atLeast({ ...plan, revisit: undefined })
  return { min: pricing.atLeast(plan), expected, ...max, reasons: reasonsOf(plan, units) }
}

/**
 * Returns the price of a search in credits, without running it. Pages are scraped only if formats are requested, and never for
 * image results. Throws `scope_missing` if the call may not use one of the formats, and the error of a scrape if the engine
 * lacks what it needs.
 */
export function searchCost(request: SearchRequest, kit: PlanKit, call?: TeamCall): Preview {
  const { limit, sources, scrapeOptions } = request
  const [least, most] = [searchPrice(0, isPrivate(request)), searchPrice(limit * sources.length, isPrivate(request))]
  const found: PriceReason = { what: 'A search', min: least, max: most }
  const results = limit * sources.filter(({ type }) => type !== 'images').length
  if (scrapeOptions.formats.length === 0 || results === 0) return { min: least, max: most, reasons: [found] }
  const page = scrapeCost({ ...scrapeOptions, url: 'https://example.com/' }, kit, {}, call)
  const pages = priceOfPages(page, { least: 0, most: results }, 'pages')
  const max = pages.max === undefined ? {} : { max: most + pages.max }
  return { min: least, expected: most + (pages.expected ?? 0), ...max, reasons: [found, ...pages.reasons] }
}

function reasonsOf(plan: Plan, units: number): PriceReason[] {
  const { page, enhancedProxy, zeroDataRetention, lockdown, screening } = tariff
  const { tiers, mayKeep, isLockdown, pricing, cache } = plan
  const isSure = cache.read === undefined && tiers.every((tier) => tier === 'enhanced')
  const pages =
    units > 1
      ? [{ what: `Each page of a file after the first, up to ${units} pages`, min: 0, max: page * (units - 1) }]
      : []
  const proxy = tiers.includes('enhanced')
    ? [
        {
          what: tiers.length > 1 ? 'An enhanced proxy, when the basic one fails' : 'An enhanced proxy',
          min: isSure ? enhancedProxy : 0,
          max: enhancedProxy,
        },
      ]
    : []
  const retention = mayKeep || isLockdown ? [] : [fixed('Nothing of it is stored', zeroDataRetention)]
  const locked = isLockdown ? [fixed('Lockdown', lockdown)] : []
  const loading = plan.revisit ? { what: 'A page, when it has to be loaded', min: 0, max: page } : fixed('A page', page)
  const check = plan.isScreened ? [{ what: 'A check for prompt injection', min: 0, max: screening }] : []
  const { pages: count, credits } = maxFurtherPages(plan)
  const further = count > 0 ? [{ what: `Up to ${count} further pages of its formats`, min: 0, max: credits }] : []
  return [loading, ...pages, ...further, ...proxy, ...retention, ...locked, ...check, ...pricing.extras(plan)]
}

function fixed(what: string, credits: number): PriceReason {
  return { what, min: credits, max: credits }
}
