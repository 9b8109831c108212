import { inWords, jsonSchema, visitOptions, type PageOptionsSchema } from '@harvestman/core/plugin'
import { z } from 'zod'

const maxExtractUrls = 10

// Options of the public API that have no effect here. They are accepted so that clients that send them still work.
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

const options = {
  urls: z
    .array(z.string())
    .max(maxExtractUrls)
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
  ...visitOptions,
  zeroDataRetention: z
    .boolean()
    .meta({ title: 'Keep nothing', description: 'Nothing of the pages is kept once the job has ended.' })
    .default(false),
}

/** Builds the request schema for an extract, with the page options of the engine. */
export function requestWith(page: PageOptionsSchema) {
  return z
    .strictObject({
      ...options,
      ...withoutMeaning,
      scrapeOptions: page
        .meta({
          title: 'Options of each page',
          description: 'The scrape options of each page, without `url`.',
        })
        .prefault({}),
    })
    .superRefine(({ urls, prompt, schema }, context) => {
      const issue = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message })
      if (prompt === undefined && urls.length === 0) issue('urls', "Either 'urls' or 'prompt' must be provided.")
      else if (prompt === undefined && schema === undefined)
        issue('schema', 'is missing, and so is prompt; give one of them')
    })
    .transform(withMeaning)
}

function withMeaning<Request extends object>(request: Request): Omit<Request, keyof typeof withoutMeaning> {
  // Cast: the type lists the removed names.
  return Object.fromEntries(Object.entries(request).filter(([name]) => !Object.hasOwn(withoutMeaning, name))) as Omit<
    Request,
    keyof typeof withoutMeaning
  >
}

export type ExtractRequest = z.output<ReturnType<typeof requestWith>>
