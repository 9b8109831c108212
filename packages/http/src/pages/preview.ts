import { z } from 'zod'

import { route, success, type Route } from '../route/route.ts'

const input = z.strictObject({
  url: z.string(),
  prompt: z.string().max(10_000).describe('The purpose of the crawl, in plain language.'),
})

export const previewRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v2/crawl/params-preview',
    group: 'crawl',
    kind: 'crawl',
    summary: 'Returns the crawl options for a prompt, without crawling.',
    input: () => input,
    example: { url: 'https://example.com', prompt: 'The documentation, at most 50 pages' },
    needs: ['llm'],
    fails: ['url_blocked', 'model_unavailable'],
    output: () =>
      z.object({
        success: z.literal(true),
        data: z
          .looseObject({ url: z.string() })
          .describe('Options of a crawl. Options that were not chosen are absent.'),
        warning: z.string().optional().describe('Proposed options that were removed, with the reasons.'),
      }),
    run: async ({ engine, input: { url, prompt }, caller, signal }) => {
      const { options, warning, ...found } = await engine.jobs.planCrawl({ url, prompt }, { ...caller, signal })
      return { ...success({ url: found.url, ...options }), ...(warning !== undefined && { warning }) }
    },
  }),
]
