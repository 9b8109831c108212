import { z } from 'zod'

import { checkHeaders, mostHeaders } from '../net/headers.ts'
import { parseWebUrl } from '../net/url.ts'
import { selector, selectorOrPattern } from './selector.ts'

/** What an operator may set for requests that say nothing. */
export interface RequestDefaults {
  readonly maxAge: number
  readonly timeout: number
}

export const requestDefaults: RequestDefaults = { maxAge: 0, timeout: 30_000 }

/** Checks the address and gives it as it will be echoed: a scheme is added, nothing else is changed. */
export const webUrl = addressOf()

/** The same, for engines with loaders of further schemes. */
export function addressOf(moreSchemes?: ReadonlySet<string>) {
  return z.string().transform((input, context) => {
    const parsed = parseWebUrl(input, moreSchemes)
    if (parsed.url) return parsed.text
    context.issues.push({ code: 'custom', input, message: parsed.problem })
    return z.NEVER
  })
}

const milliseconds = z.int().min(0)

export const headers = z
  .record(z.string(), z.string())
  .meta({ maxProperties: mostHeaders })
  .superRefine((value, context) => {
    const problem = checkHeaders(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .transform((value) => Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), text])))

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

function isCountry(code: string): boolean {
  try {
    return /^[A-Z]{2}$/.test(code) && regions.of(code) !== undefined
  } catch {
    return false
  }
}

// Clients of the public service send these two for "anywhere".
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

/** Where the request seems to come from. Languages follow from the country when none are given. */
export const location = z
  .strictObject({
    country: country.default('US'),
    languages: z
      .array(z.string().refine(isLanguage, { message: 'must be a language tag such as en or de-AT (BCP 47)' }))
      .max(20)
      .default([]),
  })
  .transform(({ country, languages }) => ({
    country,
    languages: languages.length > 0 ? languages : languagesOf(country),
  }))

function languagesOf(country: string): string[] {
  const { language } = new Intl.Locale(`und-${country}`).maximize()
  return [`${language ?? 'en'}-${country}`]
}

const pdfParser = z.strictObject({
  type: z.literal('pdf'),
  mode: z.enum(['fast', 'auto', 'ocr']).default('auto'),
  maxPages: z.int().min(1).max(10_000).optional(),
})

const parser = z.union([z.literal('pdf').transform((type) => pdfParser.parse({ type })), pdfParser])

/** The options of one page, without its address, formats and actions: those depend on the plugins of an engine. */
export function pageOptions(defaults: RequestDefaults) {
  return {
    onlyMainContent: z.boolean().default(true),
    includeTags: z.array(selector).max(200).default([]),
    excludeTags: z.array(selectorOrPattern).max(200).default([]),
    maxAge: milliseconds.default(defaults.maxAge),
    minAge: milliseconds.optional(),
    headers: headers.default({}),
    waitFor: milliseconds.max(60_000).default(0),
    mobile: z.boolean().default(false),
    skipTlsVerification: z.boolean().default(false),
    timeout: z.int().min(1_000).max(300_000).default(defaults.timeout),
    parsePDF: z.boolean().optional(),
    parsers: z.array(parser).max(10).optional(),
    location: location.default(location.parse({})),
    removeBase64Images: z.boolean().default(true),
    blockAds: z.boolean().default(true),
    proxy: z
      .enum(['basic', 'enhanced', 'stealth', 'auto'])
      .transform((tier) => (tier === 'stealth' ? 'enhanced' : tier))
      .default('basic'),
    storeInCache: z.boolean().default(true),
    zeroDataRetention: z.boolean().default(false),
  }
}

type PageOptions = z.output<z.ZodObject<ReturnType<typeof pageOptions>>>

/** A request after the schema: checked, every default filled in, plain words turned into objects, frozen. */
export type ScrapeRequest = Readonly<Omit<PageOptions, 'parsePDF' | 'parsers' | 'location'>> & {
  readonly url: string
  readonly location: { readonly country: string; readonly languages: readonly string[] }
  readonly formats: readonly RequestedPart[]
  readonly actions: readonly RequestedPart[]
  readonly parsers: readonly ParserChoice[]
}

/** A format or an action as it stands in a request. */
export interface RequestedPart {
  readonly type: string
  readonly [option: string]: unknown
}

export type ParserChoice = z.output<typeof pdfParser>

/** The parsers of a request that names none. */
export const allParsers: readonly ParserChoice[] = [pdfParser.parse({ type: 'pdf' })]
