import type { Usage } from '../ports/llm.ts'

/** The price list, in credits. */
export const tariff = {
  /** A page of any type; of a file with pages, each of them; of a file that is not parsed, the whole. */
  page: 1,
  /** On top, for a page that an enhanced proxy brought: 5 in total. `auto` costs it only when the enhanced try won. */
  enhancedProxy: 4,
  /** On top, for a format that a language model works out: 5 in total. So is change tracking with the mode `json`. */
  modelFormat: 4,
  /** A map, however many links it gives. */
  map: 1,
  /** A search, for each started group of results; the pages that are scraped for it cost what they cost. */
  search: { credits: 2, results: 10 },
  /** Tokens of an extract that cost one credit. */
  tokensOfCredit: 15,
  /** A live browser, for each minute; with a prompt for all its minutes, when one was ever run in it. */
  session: { minute: 2, minuteWithPrompt: 7 },
} as const

interface Priced {
  readonly format: {
    readonly credits: (options: never, usage: Usage) => number
    readonly creditsAtMost?: ((options: never) => number) | undefined
  }
  readonly options: unknown
}

interface PricedWithUsage extends Priced {
  /** What working it out used of a language model. */
  readonly usage: Usage
}

/** Prices a finished scrape: its pages, and what the formats and the way they were loaded ask for on top. */
export function priceOf(formats: readonly PricedWithUsage[], units: number, hasEnhancedProxy = false): number {
  const extras = formats.map(({ format, options, usage }) => format.credits(options as never, usage))
  return sum([pagePrice(units, hasEnhancedProxy), ...extras])
}

export interface PricedPlan {
  readonly formats: readonly Priced[]
  readonly tiers: readonly string[]
}

/** The most that a scrape costs whose file has so many pages. Formats that do not say how much count with what is sure. */
export function priceAtMost({ formats, tiers }: PricedPlan, units = 1): number {
  const extras = formats.map(({ format, options }) => {
    return format.creditsAtMost?.(options as never) ?? format.credits(options as never, nothing)
  })
  return sum([pagePrice(units, tiers.includes('enhanced')), ...extras])
}

/** The least that a scrape costs which succeeds. */
export function priceAtLeast({ formats, tiers }: PricedPlan): number {
  const extras = formats.map(({ format, options }) => format.credits(options as never, nothing))
  return sum([
    pagePrice(
      1,
      tiers.every((tier) => tier === 'enhanced'),
    ),
    ...extras,
  ])
}

/** Eleven results cost as much as twenty. */
export function searchPrice(results: number): number {
  const { credits, results: group } = tariff.search
  return credits * Math.max(1, Math.ceil(results / group))
}

export function tokenPrice({ inputTokens, outputTokens }: Usage): number {
  return Math.ceil((inputTokens + outputTokens) / tariff.tokensOfCredit)
}

/** To the started credit, and a minute at least. */
export function sessionPrice(ms: number, hasPrompt: boolean): number {
  const minute = hasPrompt ? tariff.session.minuteWithPrompt : tariff.session.minute
  return Math.max(minute, Math.ceil((minute * ms) / 60_000))
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0 }

function pagePrice(units: number, hasEnhancedProxy: boolean): number {
  return tariff.page * Math.max(1, units) + (hasEnhancedProxy ? tariff.enhancedProxy : 0)
}

function sum(credits: readonly number[]): number {
  return credits.reduce((total, one) => total + one, 0)
}
