import { promptOptions, jsonSchema, visitOptions, type PageOptionsSchema } from '@harvestman/core/plugin'
import { z } from 'zod'

const maxExtractUrls = 10

// Options of the public API that have no effect here. They are accepted so that clients that send them still work.
const ignored = {
  description: 'Accepted from clients of the public API. Has no effect.',
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
      title: 'URLs',
      description:
        'The pages to read. A URL that ends with `/*` means all pages of the site below it. Without URLs, the prompt is used to search for pages.',
      order: 0,
    })
    .default([]),
  ...promptOptions,
  schema: jsonSchema.meta({ title: 'Schema', description: 'JSON Schema of the result.' }).optional(),
  limit: z
    .int()
    .min(1)
    .max(1_000)
    .meta({ title: 'Pages', description: 'Maximum number of pages for a URL that ends with `/*`.' })
    .default(50),
  ignoreSitemap: z
    .boolean()
    .meta({ title: 'Ignore sitemaps', description: 'Finds the pages of a site without its sitemaps.' })
    .default(false),
  includeSubdomains: z
    .boolean()
    .meta({
      title: 'Subdomains',
      description: 'Also reads pages of the subdomains of a site.',
      whenFalse: 'Does not read pages of the subdomains of a site.',
    })
    .default(true),
  showSources: z
    .boolean()
    .meta({ title: 'Sources', description: 'Returns the pages that each field comes from.' })
    .default(false),
  ignoreInvalidURLs: z
    .boolean()
    .meta({
      title: 'Skip invalid URLs',
      description: 'Skips invalid URLs, and lists them in `invalidURLs`.',
      whenFalse: 'Fails if one of the URLs is invalid.',
    })
    .default(true),
  enableWebSearch: z
    .boolean()
    .meta({ title: 'Web search', description: 'Also reads pages found by a web search for the prompt.' })
    .default(false),
  urlTrace: z.boolean().meta({ title: 'URL trace', description: 'Returns the outcome of each page.' }).default(false),
  agent: z
    .looseObject({
      model: z
        .string()
        .max(100)
        .meta({
          title: 'Model',
          description: 'Accepted for compatibility. The operator chooses the model.',
          deprecated: true,
        })
        .optional(),
    })
    .meta({
      title: 'Agent',
      description:
        'Runs an agent, which starts from the URLs and chooses which pages to read. The options of each page and the timeout have no effect on it.',
      maxProperties: 10,
    })
    .optional(),
  ...visitOptions,
  zeroDataRetention: z
    .boolean()
    .meta({ title: 'Zero data retention', description: 'Deletes everything about the pages when the job ends.' })
    .default(false),
}

/**
 * Builds the request schema for an extract, with the page options of the engine. It requires a prompt, or URLs together with a
 * schema.
 */
export function buildExtractSchema(page: PageOptionsSchema) {
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
    .superRefine(({ urls, prompt, schema, agent, zeroDataRetention, scrapeOptions }, context) => {
      const issue = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message })
      if (prompt === undefined && urls.length === 0) issue('urls', "Either 'urls' or 'prompt' must be provided.")
      else if (prompt === undefined && schema === undefined) issue('schema', 'or prompt is required')
      if (agent && (zeroDataRetention || scrapeOptions.zeroDataRetention))
        issue(
          'agent',
          'cannot be combined with zeroDataRetention, because the steps of an agent contain parts of the pages',
        )
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

export type ExtractRequest = z.output<ReturnType<typeof buildExtractSchema>>
