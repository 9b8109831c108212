// Builds the job request for a target, and how its pages are compared.
import type { Json } from '@harvestman/ports'

import type { ChangeRules } from '../requests/change.ts'
import type { Target } from '../requests/targets.ts'

type PageTarget = Exclude<Target, { readonly type: 'search' }>

/** A job that loads the pages of a target. */
export interface TargetJob {
  readonly kind: 'batch' | 'crawl'
  readonly request: { readonly [option: string]: Json }
  /** The formats whose values are compared. */
  readonly values: readonly string[]
  /** Whether the Markdown of pages is compared. */
  readonly comparesText: boolean
}

type Options = { readonly [option: string]: Json }

/**
 * Returns the job for a target. Its pages do not come from the cache unless the target sets `maxAge`, and always have Markdown.
 * `maxCredits` limits its price in credits; without it there is no limit.
 */
export function jobOf(target: PageTarget, change: ChangeRules, maxCredits?: number): TargetJob {
  const { formats: asked, values, comparesText } = readFormats(target.scrapeOptions, change)
  const formats = target.incremental === true ? [...asked, revisitFormat(target.revisitWithin)] : asked
  const page: Options = {
    maxAge: 0,
    ...target.scrapeOptions,
    formats,
    excludeTags: [...listOf(target.scrapeOptions['excludeTags']), ...change.ignore.selectors],
  }
  const bound = maxCredits === undefined ? {} : { maxCredits }
  if (target.type === 'scrape')
    return {
      ...{ kind: 'batch', values, comparesText },
      request: { ...page, urls: [...new Set(target.urls)], ignoreInvalidURLs: true, ...bound },
    }
  const since = target.incremental === true ? { since: anyTime } : {}
  return {
    ...{ kind: 'crawl', values, comparesText },
    request: { ...target.crawlOptions, ...since, url: target.url, scrapeOptions: page, ...bound },
  }
}

// Any past date works: it makes the job check pages for changes before loading them, and each check compares with the previous
// one anyway.
const anyTime = '1970-01-01'

function revisitFormat(revisitWithin: number | undefined): Options {
  return { type: 'revisit', since: anyTime, ...(revisitWithin !== undefined && { revisitWithin }) }
}

/**
 * Returns a job that loads only the given pages of a target. `maxCredits` limits its price in credits; without it there is no
 * limit.
 */
export function pagesOf(
  target: PageTarget,
  urls: readonly string[],
  change: ChangeRules,
  maxCredits?: number,
): TargetJob {
  return jobOf({ ...target, type: 'scrape', urls: [...urls] }, change, maxCredits)
}

/** Replaces the `changeTracking` format of the public API, because each check compares the pages itself. */
function readFormats(options: Options, change: ChangeRules) {
  const requested = listOf(options['formats'])
  const tracking = requested
    .filter((format) => nameOf(format) === 'changeTracking')
    .flatMap((one) => (isOptions(one) ? [one] : []))
  const modes = tracking.flatMap(({ modes: given }) => listOf(given))
  const fieldsOf = tracking.filter((one) => listOf(one['modes']).includes('json'))
  const others = requested.filter((format) => nameOf(format) !== 'changeTracking').map(plain)
  const formats = [...others, ...fieldsOf.map(({ schema, prompt }) => jsonFormat(schema, prompt))]
  const values = change.values.filter((name) => formats.some((format) => nameOf(format) === name))
  const withText = formats.some((format) => nameOf(format) === 'markdown') ? formats : [...formats, 'markdown']
  return { formats: withText, values, comparesText: values.length === 0 || modes.includes('git-diff') }
}

function jsonFormat(schema: Json | undefined, prompt: Json | undefined): Options {
  return { type: 'json', ...(schema !== undefined && { schema }), ...(prompt !== undefined && { prompt }) }
}

/** Replaces `deterministicJson` by `json`, which has the same value. */
function plain(format: Json): Json {
  if (format === 'deterministicJson') return 'json'
  return isOptions(format) && format['type'] === 'deterministicJson' ? { ...format, type: 'json' } : format
}

function nameOf(format: Json): Json | undefined {
  return isOptions(format) ? format['type'] : format
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function isOptions(value: Json | undefined): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
