import type { Usage } from '@harvestman/ports'
import type { PriceReason } from '../plugin/price.ts'
import { tariff, tokenPrice } from './tariff.ts'

/** Pricing of a scrape. A kind of job that is not paid for by the page has one of its own. */
export interface Pricing {
  /** Returns what it costs when it is done. */
  price(scrape: PricedScrape): number
  /** The most that it costs, as far as that is known before, when its file has so many pages. */
  atMost(plan: PricedPlan, units?: number): number
  /** The least that it costs when it succeeds. */
  atLeast(plan: PricedPlan): number
  /** True when it never costs more than `atMost` says. */
  isBounded(plan: PricedPlan): boolean
  /** Returns the parts of the price on top of loading the page. */
  extras(plan: PricedPlan): readonly PriceReason[]
}

export interface PricedPlan {
  readonly formats: readonly Priced[]
  readonly tiers: readonly string[]
  readonly mayKeep: boolean
  /** Set when a kept page will do, whatever it was loaded through. */
  readonly cache: { readonly read: object | undefined }
  /** A format that may find that the page need not be loaded. */
  readonly revisit?: object | undefined
}

interface Priced {
  readonly format: {
    readonly type: string
    credits(options: unknown, usage: Usage): number
    creditsAtMost?(options: unknown): number
    loads?(options: unknown): number
  }
  readonly options: unknown
}

export interface PricedScrape {
  readonly formats: readonly PricedFormat[]
  /** The pages of its file. */
  readonly units: number
  readonly hasEnhancedProxy: boolean
  readonly mayKeep: boolean
  /** The page is a kept copy that has not changed. */
  readonly isCopy?: boolean
}

export interface PricedFormat extends Priced {
  /** Usage of a language model for working it out. */
  readonly usage: Usage
}

/** Pages, and what the formats and the way they were loaded ask for on top. */
export const pagePricing: Pricing = {
  price: ({ formats, ...scrape }) =>
    sum([loadPrice(scrape), ...formats.map(({ format, options, usage }) => format.credits(options, usage))]),
  // Formats that do not say how much they cost at most count with what is sure.
  atMost: ({ formats, ...plan }, units = 1) => sum([loadAtMost(plan, units), ...formats.map(formatAtMost)]),
  atLeast: ({ formats, ...plan }) => sum([loadAtLeast(plan), ...formats.map(formatAtLeast)]),
  isBounded: ({ formats }) => formats.every(isBoundedFormat),
  extras: ({ formats }) =>
    formats.flatMap((planned): PriceReason[] => {
      const max = isBoundedFormat(planned) ? formatAtMost(planned) : undefined
      const what = `The format ${planned.format.type}`
      return max === 0 ? [] : [{ what, min: formatAtLeast(planned), ...(max !== undefined && { max }) }]
    }),
}

/** The tokens that a language model used; never less than the page would cost without it. */
export const tokenPricing: Pricing = {
  price: ({ formats, ...scrape }) => {
    const usage = { inputTokens: 0, outputTokens: 0 }
    for (const { usage: one } of formats) {
      usage.inputTokens += one.inputTokens
      usage.outputTokens += one.outputTokens
    }
    return Math.max(loadPrice(scrape), tokenPrice(usage))
  },
  atMost: (plan, units = 1) => loadAtMost(plan, units),
  atLeast: loadAtLeast,
  isBounded: () => false,
  extras: () => [
    { what: `The tokens of a language model, ${tariff.tokensOfCredit} for a credit, where they come to more`, min: 0 },
  ],
}

function formatAtLeast({ format, options }: Priced): number {
  return format.credits(options, none)
}

function formatAtMost({ format, options }: Priced): number {
  return format.creditsAtMost?.(options) ?? format.credits(options, none)
}

/** A format says what it costs at most, or costs the same whatever a model used. */
function isBoundedFormat({ format, options }: Priced): boolean {
  if (format.creditsAtMost) return true
  return format.credits(options, very) === format.credits(options, none)
}

const none: Usage = { inputTokens: 0, outputTokens: 0 }
const very: Usage = { inputTokens: 1e9, outputTokens: 1e9 }

function loadPrice({ units, hasEnhancedProxy, mayKeep, isCopy }: Omit<PricedScrape, 'formats'>): number {
  if (isCopy) return tariff.unchanged
  const { page, enhancedProxy, zeroDataRetention } = tariff
  return page * Math.max(1, units) + (hasEnhancedProxy ? enhancedProxy : 0) + (mayKeep ? 0 : zeroDataRetention)
}

function loadAtMost({ tiers, mayKeep }: Omit<PricedPlan, 'formats'>, units: number): number {
  return loadPrice({ units, mayKeep, hasEnhancedProxy: tiers.includes('enhanced') })
}

/** The most further pages that the formats load, and what they cost. */
export function furtherAtMost({ formats, ...plan }: PricedPlan): { readonly pages: number; readonly credits: number } {
  const pages = sum(formats.map(({ format, options }) => format.loads?.(options) ?? 0))
  return { pages, credits: pages * loadAtMost(plan, 1) }
}

function loadAtLeast({ tiers, mayKeep, cache, revisit }: Omit<PricedPlan, 'formats'>): number {
  if (revisit) return tariff.unchanged
  const hasEnhancedProxy = cache.read === undefined && tiers.every((tier) => tier === 'enhanced')
  return loadPrice({ units: 1, mayKeep, hasEnhancedProxy })
}

function sum(credits: readonly number[]): number {
  return credits.reduce((total, one) => total + one, 0)
}
