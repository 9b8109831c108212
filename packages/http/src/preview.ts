import { z } from 'zod'

import { route, success, type Route } from './route.ts'

// Clients send more beside it: it is let be, as the public API does.
const input = z.looseObject({
  url: z.string(),
  prompt: z.string().min(1).max(10_000).describe('What the crawl is for, in your words.'),
})

export const previewRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v2/crawl/params-preview',
    group: 'crawl',
    summary: 'Says which options a crawl in your words would have. Nothing is crawled.',
    input: () => input,
    example: { url: 'https://example.com', prompt: 'The documentation, at most 50 pages' },
    needs: ['llm'],
    fails: ['url_blocked', 'model_unavailable'],
    output: () =>
      z.object({
        success: z.literal(true),
        data: z.looseObject({ url: z.string() }).describe('Options of a crawl; those that were not chosen are absent.'),
        warning: z.string().optional().describe('What was proposed and left out, and why.'),
      }),
    run: async ({ engine, input: { url, prompt }, team, signal }) => {
      const { options, warning, ...found } = await engine.previewCrawl({ url, prompt }, { team, signal })
      return { ...success({ url: found.url, ...options }), ...(warning !== undefined && { warning }) }
    },
  }),
]
