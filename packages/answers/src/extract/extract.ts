import { defineJob, jsonValue, priceOfPages, mergeValues, type Claim, type PageValue } from '@harvestman/core/plugin'
import type { Json } from '@harvestman/ports'

import { agent } from '../agent/agent.ts'
import { endpoints } from './endpoints.ts'
import { toAgentRequest, pageOptionsFor, resolveExtractUrls, requiredPorts } from './pages.ts'
import { buildExtractSchema } from './request.ts'
import { hasValue, sourcesOf, extractDetailsOf, extractDetails, type ExtractedPage } from './details.ts'

/** Extracts one value from many pages. Each page is read with the `json` format and the same schema; the results are merged. */
export const extract = defineJob({
  kind: 'extract',
  description: 'Extracts one value that fits a schema from many pages.',
  request: buildExtractSchema,
  answer: jsonValue,
  example: {
    urls: ['https://example.com/'],
    schema: { type: 'object', properties: { title: { type: 'string' } } },
  },
  about: 'urls',
  target: ({ urls: [first], prompt = '' }) => first ?? prompt,
  requiresFor: requiredPorts,
  instead: (request) => (request.agent ? { kind: agent.kind, request: toAgentRequest(request) } : undefined),
  answerFits: { schema: 'schema' },
  progress: { schema: extractDetails, of: extractDetailsOf },
  webhookPayloads: {
    answer: async (data, { id, pages }) => {
      // Cast: the values that `read` below returned.
      const read = (await pages()) as readonly PageValue<ExtractedPage>[]
      return { success: true, extractId: id, data, totalUrlsScraped: read.length, sources: sourcesOf(read) }
    },
  },
  endpoints,
  command: {
    flags: {
      enableWebSearch: '--search',
      showSources: '--sources',
      ignoreInvalidURLs: '--no-ignore-invalid-urls',
    },
    examples: [
      'https://example.com/lamp --schema lamp.json',
      '"https://example.com/*" --prompt "All prices" --sources --json',
    ],
    print: (value) => JSON.stringify(value, null, 2),
  },
  price: (request, { page }) => {
    const { urls, limit, maxCredits } = request
    const most = urls.reduce((sum, one) => sum + (one.endsWith('/*') ? limit : 1), 0)
    return priceOfPages(page(pageOptionsFor(request)), { least: 1, most, maxCredits }, 'pages')
  },
  visits: {
    byTokens: true,
    urls: resolveExtractUrls,
    page: pageOptionsFor,
    // Casts: the value of the `json` format, and `claims` of a document.
    read: ({ formatValue }): ExtractedPage => ({
      data: formatValue('json') as Json,
      claims: (formatValue('claims') ?? []) as Claim[],
    }),
    join: (pages) => mergeValues(pages.filter(hasValue).map(({ value }) => value.data)),
  },
})
