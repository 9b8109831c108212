import { z } from 'zod'

import { route, success, type Route } from '../route/route.ts'

const input = z.strictObject({
  url: z.string(),
  prompt: z.string().max(10_000).describe('What the crawl is for, in your words.'),
})

const priced = z.strictObject({
  kind: z
    .string()
    .max(100)
    .describe('What is asked for: `scrape`, `crawl`, `batch`, `map`, `search`, or a kind of job by its name.'),
  request: z.looseObject({}).describe('What would be sent to its endpoint.'),
})

const reason = { what: z.string(), min: z.number(), expected: z.number().optional(), max: z.number().nullable() }

interface Bounds {
  readonly min: number
  readonly expected?: number
  readonly max?: number
}

/** A missing bound is null: JSON has no infinity. */
function bounds({ min, expected, max }: Bounds): { min: number; expected?: number; max: number | null } {
  return { min, ...(expected !== undefined && { expected }), max: max ?? null }
}

export const previewRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v2/team/preview',
    group: 'team',
    summary: 'Returns the expected, lowest and highest price of a request, and why. Runs nothing and costs nothing.',
    input: () => priced,
    example: { kind: 'crawl', request: { url: 'https://example.com', limit: 200, maxCredits: 150 } },
    fails: ['not_configured', 'url_blocked'],
    output: () =>
      z.object({
        success: z.literal(true),
        data: z.object({
          min: z.number().describe('When all of it succeeds in the cheapest way. What fails costs nothing.'),
          expected: z
            .number()
            .optional()
            .describe('For ordinary web pages without a retry, and a crawl up to its limit. Absent when unknown.'),
          max: z.number().nullable().describe('It never costs more; null when it has no bound.'),
          reasons: z.array(z.object(reason)).describe('Its parts, for one page where there are several.'),
        }),
      }),
    run: async ({ engine, input: { kind, request } }) => {
      const { reasons, ...cost } = await Promise.resolve(engine.preview(kind, request))
      return success({ ...bounds(cost), reasons: reasons.map(({ what, ...part }) => ({ what, ...bounds(part) })) })
    },
  }),
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
        data: z.looseObject({ url: z.string() }).describe('Options of a crawl; those that were not chosen are absent.'),
        warning: z.string().optional().describe('What was proposed and left out, and why.'),
      }),
    run: async ({ engine, input: { url, prompt }, asker, signal }) => {
      const { options, warning, ...found } = await engine.jobs.planCrawl({ url, prompt }, { ...asker, signal })
      return { ...success({ url: found.url, ...options }), ...(warning !== undefined && { warning }) }
    },
  }),
]
