import { priceAtLeast, priceAtMost, tariff } from './credits/tariff.ts'
import type { Parser } from './plugin/parts.ts'
import type { BatchRequest } from './schema/batch.ts'
import type { CrawlRequest } from './schema/crawl.ts'
import type { ScrapeRequest } from './schema/scrape.ts'
import { makePlan, type Plan, type PlanKit } from './scrape/plan.ts'

/** What a request will cost, before anything of it is done. */
export interface Preview {
  /** When all of it succeeds in the cheapest way. What fails costs nothing. */
  readonly min: number
  /** It never costs more; absent when a format of it has no bound. */
  readonly max?: number
  readonly reasons: readonly PreviewReason[]
}

/** A part of the price, for one page where there are several. */
export interface PreviewReason {
  readonly what: string
  readonly min: number
  readonly max?: number
}

export function mapCost(): Preview {
  return { min: tariff.map, max: tariff.map, reasons: [{ what: 'A map', min: tariff.map, max: tariff.map }] }
}

export function scrapeCost(request: ScrapeRequest, kit: PlanKit): Preview {
  const plan = makePlan(request, kit)
  const { parsers } = kit.registry
  const units = Math.max(1, ...parsers.map(({ maxUnits }: Parser) => maxUnits?.(request) ?? 1))
  const isBounded = plan.formats.every(isBound)
  const max = isBounded ? { max: priceAtMost(plan, units) } : {}
  return { min: priceAtLeast(plan), ...max, reasons: reasonsOf(plan, units) }
}

export function batchCost({ urls, maxCredits, ...options }: BatchRequest, kit: PlanKit): Preview {
  const [url = 'https://example.com/'] = urls
  return many(scrapeCost({ ...options, url }, kit), { least: urls.length, most: urls.length, maxCredits }, 'addresses')
}

export function crawlCost({ url, limit, maxCredits, scrapeOptions }: CrawlRequest, kit: PlanKit): Preview {
  return many(scrapeCost({ ...scrapeOptions, url }, kit), { least: 1, most: limit, maxCredits }, 'pages')
}

interface Count {
  readonly least: number
  readonly most: number
  readonly maxCredits?: number | undefined
}

function many(page: Preview, { least, most, maxCredits = Infinity }: Count, what: string): Preview {
  const max = Math.min((page.max ?? Infinity) * most, maxCredits)
  const count = least === most ? `${most}` : `Up to ${most}`
  const cap = maxCredits < Infinity ? [{ what: 'No more than maxCredits', min: 0, max: maxCredits }] : []
  return {
    min: Math.min(page.min * least, maxCredits),
    ...(max < Infinity && { max }),
    reasons: [
      { what: `${count} ${what}, each`, min: page.min, ...(page.max !== undefined && { max: page.max }) },
      ...page.reasons,
      ...cap,
    ],
  }
}

function reasonsOf({ formats, tiers }: Plan, units: number): PreviewReason[] {
  const { page, enhancedProxy } = tariff
  const isSure = tiers.every((tier) => tier === 'enhanced')
  const pages =
    units > 1
      ? [{ what: `A file of up to ${units} pages, for those after the first`, min: 0, max: page * (units - 1) }]
      : []
  const proxy = tiers.includes('enhanced')
    ? [
        {
          what: isSure ? 'An enhanced proxy' : 'An enhanced proxy, when the basic one fails',
          min: isSure ? enhancedProxy : 0,
          max: enhancedProxy,
        },
      ]
    : []
  const extras = formats.flatMap((planned): PreviewReason[] => {
    const { format, options } = planned
    const min = format.credits(options as never, none)
    const max = isBound(planned) ? (format.creditsAtMost?.(options as never) ?? min) : undefined
    return max === 0 ? [] : [{ what: `The format ${format.type}`, min, ...(max !== undefined && { max }) }]
  })
  return [{ what: 'A page', min: page, max: page }, ...pages, ...proxy, ...extras]
}

const none = { inputTokens: 0, outputTokens: 0 }
const very = { inputTokens: 1e9, outputTokens: 1e9 }

/** A format says what it costs at most, or costs the same whatever a model used. */
function isBound({ format, options }: Plan['formats'][number]): boolean {
  if (format.creditsAtMost) return true
  return format.credits(options as never, very) === format.credits(options as never, none)
}
