import { z } from 'zod'

import { checkHeaders, maxHeaders, parseWebUrl } from '@harvestman/net/request'
import { personOption, profileOption } from './profile.ts'
import { record } from './record.ts'
import { redactPII } from './redact-pii.ts'
import { selector, selectorOrPattern } from './selector.ts'
import { threatProtection } from './threat-protection.ts'

/** Defaults for options that requests omit. Configured per engine. */
export interface RequestDefaults {
  readonly maxAge: number
  readonly timeout: number
}

/** Built-in defaults: `maxAge` 0 (no cached copies), `timeout` 30 seconds. Both are in milliseconds. */
export const requestDefaults: RequestDefaults = { maxAge: 0, timeout: 30_000 }

/** Schema of a web URL. Adds a missing scheme and otherwise returns the input unchanged. */
export const webUrl = urlSchema()

/**
 * Returns the schema of an `http` or `https` URL, which adds a missing scheme; `moreSchemes` are those of further loaders of an
 * engine.
 */
export function urlSchema(moreSchemes?: ReadonlySet<string>) {
  return z.string().transform((input, context) => {
    const parsed = parseWebUrl(input, moreSchemes)
    if (parsed.url) return parsed.text
    context.issues.push({ code: 'custom', input, message: parsed.problem })
    return z.NEVER
  })
}

const milliseconds = z.int().min(0)

/** Schema of request headers. Names are converted to lower case. */
export const headers = z
  .record(z.string(), z.string())
  .meta({ maxProperties: maxHeaders })
  .superRefine((value, context) => {
    const problem = checkHeaders(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .transform((value) => Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), text])))
  .meta({
    id: 'Headers',
    title: 'Headers',
    description: 'Headers sent to the host of the URL, and to no other host.',
    group: 'Network',
    secret: true,
  })

// Created on first use: loading the names takes long, and few requests set a country.
let regions: Intl.DisplayNames | undefined

function isCountry(code: string): boolean {
  try {
    regions ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    return /^[A-Z]{2}$/.test(code) && regions.of(code) !== undefined
  } catch {
    return false
  }
}

// Clients of the public API send these for "any country".
const anyCountry = new Set(['US-GENERIC', 'US-WHITELIST'])

const country = z
  .string()
  .transform((code) => (anyCountry.has(code.toUpperCase()) ? 'US' : code.toUpperCase()))
  .refine(isCountry, {
    message: 'must be a two-letter country code such as US or DE (ISO 3166-1)',
  })

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** Location from which the request appears to come. The default language is the language of the country. */
export const location = z
  .strictObject({
    country: country
      .meta({
        title: 'Country',
        description: 'A two-letter country code (ISO 3166-1), such as US or DE.',
        defaultText: '`US`',
      })
      .default('US'),
    languages: z
      .array(z.string().refine(isLanguage, { message: 'must be a language tag such as en or de-AT (BCP 47)' }))
      .max(20)
      .meta({
        title: 'Languages',
        description: 'Language tags (BCP 47), preferred first. Default: the languages of the country.',
      })
      .default([]),
  })
  .transform(({ country, languages }) => ({
    country,
    languages: languages.length > 0 ? languages : languagesOf(country),
  }))
  .meta({
    id: 'Location',
    title: 'Location',
    description: 'Where the request appears to come from: the country of the proxy, and the preferred languages.',
    group: 'Browser',
  })

/** The location when the request sets none. */
export const defaultLocation: z.output<typeof location> = { country: 'US', languages: ['en-US'] }

function languagesOf(country: string): string[] {
  const { language } = new Intl.Locale(`und-${country}`).maximize()
  return [`${language ?? 'en'}-${country}`]
}

const blocksOption = z
  .boolean()
  .meta({
    title: 'Blocks',
    description: 'Returns the parts of each page as `blocks`: headings, paragraphs and tables, with their position.',
  })
  .optional()

const pageImagesOption = z
  .boolean()
  .meta({
    title: 'Pictures of the pages',
    description: 'Returns a picture of each page as `pageImages`, at most 50.',
  })
  .optional()

const pdfParser = z
  .strictObject({
    type: z.literal('pdf'),
    mode: z
      .enum(['fast', 'auto', 'ocr'])
      .meta({
        title: 'Mode',
        description:
          'How to find text: `fast` reads the text in the file, `ocr` recognizes that in pictures of its pages, `auto` does so only for pages without usable text.',
      })
      .default('auto'),
    maxPages: z
      .int()
      .min(1)
      .max(10_000)
      .meta({ title: 'Pages', description: 'Maximum number of pages to read, from the first one.' })
      .optional(),
    pages: z
      .boolean()
      .meta({ title: 'Text by page', description: 'Returns the Markdown of each page as `pages`.' })
      .optional(),
    pageMarkdown: z
      .boolean()
      .meta({ title: 'Text by page', description: 'The former name of `pages`.', deprecated: true })
      .optional(),
    pageMarkers: z
      .boolean()
      .meta({
        title: 'Page markers',
        description: 'Puts a rule and a comment with the page number between the pages of the Markdown.',
      })
      .optional(),
    blocks: blocksOption,
    pageImages: pageImagesOption,
    figures: z
      .boolean()
      .meta({
        title: 'Figures',
        description:
          'Returns `blocks`, in which each figure has the URL of its picture, a PNG or JPEG file, as `image`.',
      })
      .optional(),
  })
  .meta({ id: 'PdfParser', title: 'PDF' })

const imageParser = z
  .strictObject({ type: z.literal('image'), blocks: blocksOption, pageImages: pageImagesOption })
  .meta({ id: 'ImageParser', title: 'Image' })

const parser = z.union([
  z.enum(['pdf', 'image']).transform((type) => (type === 'pdf' ? pdfParser.parse({ type }) : { type })),
  pdfParser,
  imageParser,
])

/** Options of one page without URL, formats and actions, because these depend on the engine's plugins. */
// oxlint-disable-next-line max-lines-per-function -- a table: one option after the other, each with its bounds and its help
/** Returns the fields of the options for a page, with their defaults. */
export function pageOptions(defaults: RequestDefaults) {
  return {
    onlyMainContent: z
      .boolean()
      .meta({
        title: 'Main content only',
        description: 'Removes menus, sidebars, footers and notices, and keeps the main content.',
        group: 'Content',
      })
      .default(true),
    includeTags: z
      .array(selector)
      .max(200)
      .meta({
        title: 'Only these parts',
        description: 'CSS selectors of the parts to keep. All others are removed.',
        group: 'Content',
      })
      .default([]),
    excludeTags: z
      .array(selectorOrPattern)
      .max(200)
      .meta({
        title: 'Without these parts',
        description:
          'CSS selectors of the parts to remove. `*word*` matches elements with this word in a name or an attribute.',
        group: 'Content',
      })
      .default([]),
    maxAge: milliseconds
      .meta({
        title: 'Age of a copy',
        description: 'Accepts a cached copy younger than this. 0 always loads the page.',
        unit: 'ms',
        group: 'Cache and privacy',
      })
      .default(defaults.maxAge),
    minAge: milliseconds
      .meta({
        title: 'Only a copy',
        description: 'Accepts only a cached copy at least this old, and loads nothing. Fails without one.',
        unit: 'ms',
        group: 'Cache and privacy',
      })
      .optional(),
    headers: headers.default({}),
    waitFor: milliseconds
      .max(60_000)
      .meta({
        title: 'Wait',
        description: 'Waits after the page has loaded, before it is read. At most half of `timeout`.',
        unit: 'ms',
        needs: 'a browser',
        group: 'Browser',
      })
      .default(0),
    mobile: z
      .boolean()
      .meta({ title: 'Mobile', description: 'Loads the page as a phone.', needs: 'a browser', group: 'Browser' })
      .default(false),
    skipTlsVerification: z
      .boolean()
      .meta({
        title: 'Take any certificate',
        description: 'Accepts certificates that are expired, for another name, or from an unknown authority.',
        group: 'Network',
      })
      .default(false),
    timeout: z
      .int()
      .min(1_000)
      .max(300_000)
      .meta({
        title: 'Timeout',
        description: 'The time limit of the whole request, including waits and actions.',
        unit: 'ms',
        group: 'Network',
      })
      .default(defaults.timeout),
    parsePDF: z
      .boolean()
      .meta({
        title: 'Read PDF',
        description: 'The former name of `parsers`: `false` means an empty list.',
        deprecated: true,
        group: 'Content',
      })
      .optional(),
    parsers: z
      .array(parser)
      .max(10)
      .meta({
        title: 'Parsers',
        defaultText: '`["pdf", "image"]`; `["pdf"]` in a crawl',
        description:
          'File types to parse. Without `pdf` in the list, a PDF is returned as base64; without `image`, images are refused. A crawl visits images only if the list names them.',
        group: 'Content',
      })
      .optional(),
    location: location.default(defaultLocation),
    removeBase64Images: z
      .boolean()
      .meta({
        title: 'No embedded pictures',
        description: 'Removes embedded base64 images from the Markdown, but not their alternative text.',
        group: 'Content',
      })
      .default(true),
    profile: profileOption,
    person: personOption,
    redactPII,
    checkPromptInjection: z
      .union([z.boolean(), z.null().transform(() => false)])
      .meta({
        title: 'Check for prompt injection',
        description: 'Fails if the page has instructions to a language model, and returns nothing of it.',
        group: 'Content',
      })
      .default(false),
    threatProtection,
    blockAds: z
      .boolean()
      .meta({
        title: 'Block advertising',
        description: 'Blocks ads and trackers in the browser.',
        needs: 'a browser',
        group: 'Browser',
      })
      .default(true),
    proxy: z
      .enum(['basic', 'enhanced', 'stealth', 'auto'])
      .transform((tier) => (tier === 'stealth' ? 'enhanced' : tier))
      .meta({
        title: 'Proxy',
        description:
          'The proxies to use: `basic`, `enhanced` (5 credits), or `auto`, which retries with `enhanced` if the host blocks the request. `stealth` is the former name of `enhanced`.',
        needs: 'proxies; without any, requests are sent directly',
        defaultText: '`basic`',
        group: 'Network',
      })
      .default('basic'),
    lockdown: z
      .boolean()
      .meta({
        title: 'Lockdown',
        description:
          'Sends nothing to any host: returns a cached copy up to two years old, or `maxAge`, and fails without one. Stores nothing. Only for a scrape of one page.',
        group: 'Cache and privacy',
      })
      .default(false),
    storeInCache: z
      .boolean()
      .meta({
        title: 'Keep a copy',
        description: 'Stores the page in the cache for later requests.',
        group: 'Cache and privacy',
      })
      .default(true),
    zeroDataRetention: z
      .boolean()
      .meta({
        title: 'Keep nothing',
        description: 'Stores neither the page nor the result.',
        group: 'Cache and privacy',
      })
      .default(false),
    record,
  }
}

type PageOptions = z.output<z.ZodObject<ReturnType<typeof pageOptions>>>

/** A parsed scrape request: validated, with defaults filled in and shorthands expanded, frozen. */
export type ScrapeRequest = Readonly<Omit<PageOptions, 'parsePDF' | 'parsers' | 'location'>> & {
  readonly url: string
  readonly location: { readonly country: string; readonly languages: readonly string[] }
  readonly formats: readonly RequestedPart[]
  readonly actions: readonly RequestedPart[]
  readonly parsers: readonly ParserChoice[]
}

/** A format or an action in a parsed request. */
export interface RequestedPart {
  readonly type: string
  readonly [option: string]: unknown
}

/** A parser in a request, with its options. */
export type ParserChoice = Partial<Omit<z.output<typeof pdfParser>, 'type'>> & Pick<z.output<typeof parser>, 'type'>

/** Parsers of a request that does not set any. */
export const allParsers: readonly ParserChoice[] = [{ type: 'pdf', mode: 'auto' }, { type: 'image' }]

/** Parsers of a crawl that does not set any: it visits images only on request. */
export const crawlParsers: readonly ParserChoice[] = allParsers.filter(({ type }) => type !== 'image')
