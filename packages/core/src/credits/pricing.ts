import type { Usage } from '@harvestman/ports'
import type { PriceReason } from '../plugin/price.ts'
import { tariff, tokenPrice } from './tariff.ts'

/** Pricing of a scrape. A kind of job that is not charged per page has its own. */
export interface Pricing {
  /** Returns the price of a finished scrape in credits. */
  price(scrape: PricedScrape): number
  /** Returns the maximum price as far as it is known in advance, for a file of `units` pages. */
  atMost(plan: PricedPlan, units?: number): number
  /** Returns the minimum price of a successful scrape. */
  atLeast(plan: PricedPlan): number
  /** Returns whether the price never exceeds `atMost`. */
  isBounded(plan: PricedPlan): boolean
  /** Returns the parts of the price in addition to loading the page. */
  extras(plan: PricedPlan): readonly PriceReason[]
}

export interface PricedPlan {
  readonly formats: readonly Priced[]
  readonly tiers: readonly string[]
  readonly mayKeep: boolean
  readonly isRedacted?: boolean | undefined
  readonly isScreened?: boolean | undefined
  readonly isLockdown?: boolean | undefined
  /** Set if a cached page may be used, which may have been loaded through any proxy. */
  readonly cache: { readonly read: object | undefined }
  /** Format that may find out that the page need not be loaded. */
  readonly revisit?: object | undefined
}

interface Priced {
  readonly format: {
    readonly type: string
    credits(options: unknown, usage: Usage, value?: unknown): number
    creditsAtMost?(options: unknown): number
    loads?(options: unknown): number
  }
  readonly options: unknown
}

export interface PricedScrape {
  readonly formats: readonly PricedFormat[]
  /** Number of pages of the file. */
  readonly units: number
  readonly hasEnhancedProxy: boolean
  readonly mayKeep: boolean
  readonly isRedacted?: boolean | undefined
  readonly isScreened?: boolean | undefined
  readonly isLockdown?: boolean | undefined
  /** True if the page is an unchanged cached copy. */
  readonly isCopy?: boolean
}

export interface PricedFormat extends Priced {
  /** Language model usage for computing the format. */
  readonly usage: Usage
  /** The value of the format, if there is one. */
  readonly value?: unknown
}

/** Charges for pages, plus surcharges for formats and proxies. */
export const pagePricing: Pricing = {
  price: ({ formats, ...scrape }) =>
    sum([
      loadPrice(scrape),
      ...formats.map(({ format, options, usage, value }) => format.credits(options, usage, value)),
    ]),
  // Formats without a known maximum count with their minimum.
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

/** Charges for the tokens that a language model used, but at least the price of the page without it. */
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

/** Returns whether a format declares a maximum price or costs the same whatever a model uses. */
function isBoundedFormat({ format, options }: Priced): boolean {
  if (format.creditsAtMost) return true
  return format.credits(options, very) === format.credits(options, none)
}

const none: Usage = { inputTokens: 0, outputTokens: 0 }
const very: Usage = { inputTokens: 1e9, outputTokens: 1e9 }

function loadPrice(scrape: Omit<PricedScrape, 'formats'>): number {
  const { units, hasEnhancedProxy, mayKeep, isRedacted, isScreened, isLockdown, isCopy } = scrape
  if (isCopy) return tariff.unchanged
  const { page, redaction, screening, enhancedProxy, zeroDataRetention, lockdown } = tariff
  const privacy = isLockdown ? lockdown : mayKeep ? 0 : zeroDataRetention
  const each = page + (isRedacted ? redaction : 0)
  return each * Math.max(1, units) + (hasEnhancedProxy ? enhancedProxy : 0) + (isScreened ? screening : 0) + privacy
}

function loadAtMost({ tiers, ...plan }: Omit<PricedPlan, 'formats'>, units: number): number {
  return loadPrice({ ...plan, units, hasEnhancedProxy: tiers.includes('enhanced') })
}

/** Returns the maximum number of further pages that the formats load, and the maximum price of all of them in credits. */
export function maxFurtherPages({ formats, ...plan }: PricedPlan): {
  readonly pages: number
  readonly credits: number
} {
  const pages = sum(formats.map(({ format, options }) => format.loads?.(options) ?? 0))
  return { pages, credits: pages * loadAtMost(plan, 1) }
}

function loadAtLeast({ tiers, cache, revisit, ...plan }: Omit<PricedPlan, 'formats'>): number {
  if (revisit) return tariff.unchanged
  const hasEnhancedProxy = cache.read === undefined && tiers.every((tier) => tier === 'enhanced')
  // A check that could not be completed is free.
  return loadPrice({ ...plan, units: 1, hasEnhancedProxy, isScreened: false })
}

function sum(credits: readonly number[]): number {
  return credits.reduce((total, one) => total + one, 0)
}
