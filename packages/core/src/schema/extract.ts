import { z } from 'zod'

import { deepFreeze } from '../lib/deep-freeze.ts'
import type { PageRequest } from './crawl.ts'
import { maxConcurrency, maxCredits } from './job-options.ts'
import { jsonSchema } from './json-schema.ts'
import { webhookSchema, type Webhook } from './webhook.ts'
import { inWords } from './words.ts'

const mostExtractUrls = 10

// What the public service takes as well, without a meaning here. A client that sends it is not refused.
const ignored = {
  description: 'Taken from clients of the public API; it has no effect on an extract.',
  deprecated: true,
}

const withoutMeaning = {
  allowExternalLinks: z
    .boolean()
    .meta({ title: 'External links', ...ignored })
    .optional(),
}

/** What an extract may be asked for, without the options of its pages: they depend on the plugins of an engine. */
export const extractOptions = {
  urls: z
    .array(z.string())
    .max(mostExtractUrls)
    .meta({
      title: 'Addresses',
      description:
        'The pages that are read. One that ends with `/*` stands for the pages of the site below it. Without any, pages are searched for by the prompt.',
      order: 0,
    })
    .default([]),
  ...inWords,
  schema: jsonSchema.meta({ title: 'Schema', description: 'JSON Schema that the data must fit.' }).optional(),
  limit: z
    .int()
    .min(1)
    .max(1_000)
    .meta({ title: 'Pages', description: 'The most pages that an address with `/*` stands for.' })
    .default(50),
  ignoreSitemap: z
    .boolean()
    .meta({ title: 'Without sitemaps', description: 'Sitemaps are not read to find the pages of a site.' })
    .default(false),
  includeSubdomains: z
    .boolean()
    .meta({ title: 'Subdomains', description: 'Also pages of subdomains of a site.' })
    .default(true),
  showSources: z
    .boolean()
    .meta({ title: 'Sources', description: 'Says for each field which pages it is from.' })
    .default(false),
  ignoreInvalidURLs: z
    .boolean()
    .meta({
      title: 'Skip what is no address',
      description: 'Leaves out entries that are no addresses, and names them in `invalidURLs`.',
    })
    .default(true),
  enableWebSearch: z
    .boolean()
    .meta({ title: 'Web search', description: 'Also reads pages that a search for the prompt finds.' })
    .default(false),
  timeout: z
    .int()
    .min(1_000)
    .max(3_600_000)
    .meta({ title: 'Timeout', description: 'It ends then, with the pages that it has.', unit: 'ms' })
    .optional(),
  urlTrace: z
    .boolean()
    .meta({ title: 'Trace of addresses', description: 'Says of each page what came of it.' })
    .default(false),
  agent: z
    .looseObject({
      model: z
        .string()
        .max(100)
        .meta({ title: 'Model', description: 'Taken and not used: the model is that of the engine.' })
        .optional(),
    })
    .meta({
      title: 'Agent',
      description: 'An agent looks for the value: it begins with the addresses, and chooses what it reads.',
      maxProperties: 10,
    })
    .optional(),
  maxConcurrency,
  maxCredits,
  webhook: webhookSchema.optional(),
  zeroDataRetention: z
    .boolean()
    .meta({ title: 'Keep nothing', description: 'Nothing of the pages is kept once the job has ended.' })
    .default(false),
}

/** An extract request of one engine. */
export function extractSchema<Options extends z.ZodType<PageRequest>>(scrapeOptions: Options) {
  return z
    .strictObject({
      ...extractOptions,
      ...withoutMeaning,
      scrapeOptions: scrapeOptions
        .meta({
          title: 'Options of each page',
          description: 'What is asked of each page: the options of a scrape without its address.',
        })
        .prefault({} as z.input<Options>),
    })
    .superRefine(({ urls, prompt, schema }, context) => {
      const issue = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message })
      if (prompt === undefined && urls.length === 0) issue('urls', "Either 'urls' or 'prompt' must be provided.")
      else if (prompt === undefined && schema === undefined)
        issue('schema', 'is missing, and so is prompt; give one of them')
    })
    .transform((request) => deepFreeze(withMeaning(request)) as ExtractRequest)
}

function withMeaning(request: object): object {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !Object.hasOwn(withoutMeaning, name)))
}

/** An extract request after the schema: checked, every default filled in, frozen. */
export interface ExtractRequest {
  readonly urls: readonly string[]
  readonly prompt?: string | undefined
  readonly systemPrompt?: string | undefined
  readonly schema?: Readonly<Record<string, never>> | undefined
  readonly limit: number
  readonly ignoreSitemap: boolean
  readonly includeSubdomains: boolean
  readonly showSources: boolean
  readonly ignoreInvalidURLs: boolean
  readonly enableWebSearch: boolean
  readonly timeout?: number | undefined
  readonly urlTrace: boolean
  readonly agent?: { readonly model?: string | undefined } | undefined
  readonly maxConcurrency?: number | undefined
  readonly maxCredits?: number | undefined
  readonly webhook?: Webhook | undefined
  readonly zeroDataRetention: boolean
  readonly scrapeOptions: PageRequest
}
