// What only version 1 has: research in rounds.
import { z } from 'zod'

import { fieldsOf } from '../fields.ts'
import { idempotencyHeaders, idempotencyKey } from '../jobs/idempotency.ts'
import { route, type Route, type RouteCall, type Schemas } from '../route.ts'

const badId = 'Invalid job ID format. Job ID must be a valid UUID.'
const researchWords = { badId, notFound: 'Deep research job not found' }

const started = z.object({ success: z.literal(true), id: z.uuid() })
const statusWord = z.enum(['processing', 'completed', 'failed'])

const activity = z.object({
  type: z.string(),
  status: z.string(),
  message: z.string(),
  timestamp: z.iso.datetime(),
  depth: z.int(),
})
const source = z.object({ url: z.string(), title: z.string(), description: z.string(), favicon: z.string() })
const lists = { activities: z.array(activity), sources: z.array(source) }

const researchState = z.object({
  success: z.boolean(),
  status: statusWord,
  data: z.object({ finalAnalysis: z.string(), ...lists, json: z.unknown().optional() }),
  error: z.string().optional(),
  expiresAt: z.iso.datetime(),
  currentDepth: z.int(),
  maxDepth: z.int(),
  totalUrls: z.int(),
  ...lists,
})

const about = z.string().max(10_000)

/** `topic` is an older word for `query`. What is not known is let be. */
function researchInput({ research }: Schemas) {
  return z
    .object({
      ...fieldsOf(research),
      query: about.optional().describe('What is to be found out.'),
      topic: about.optional().meta({ description: 'An older word for `query`.', deprecated: true }),
    })
    .superRefine(({ query, topic }, context) => {
      if (query !== undefined || topic !== undefined) return
      context.addIssue({ code: 'custom', path: ['query'], message: "Either 'query' or 'topic' must be provided." })
    })
    .transform(({ topic, query, ...more }) => ({ ...more, query: query ?? topic }))
}

function jobCall({ asker, headers }: RouteCall) {
  return { ...asker, idempotencyKey: idempotencyKey(headers) }
}

/** Older clients know no word for one that was cancelled. */
function told(status: 'processing' | 'completed' | 'failed' | 'cancelled') {
  return status === 'cancelled' ? 'failed' : status
}

const researchRows: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/deep-research',
    group: 'deep-research',
    summary: 'Answers a question from the web, in rounds of searching, reading and judging. Read by its id.',
    input: researchInput,
    example: { query: 'What do harvestmen eat?', maxDepth: 2, maxUrls: 10 },
    reads: idempotencyHeaders,
    fails: ['not_configured', 'insufficient_credits', 'conflict'],
    words: researchWords,
    output: () => started,
    run: async (call) => {
      const { id } = await call.engine.researchAny(call.input, jobCall(call))
      return { success: true as const, id }
    },
  }),
  route({
    method: 'GET',
    path: '/v1/deep-research/{id}',
    group: 'deep-research',
    rate: 'status',
    summary: 'Gives the state of research, what it has read, and its answer.',
    fails: ['not_found'],
    words: researchWords,
    output: () => researchState,
    run: async ({ engine, params, team }) => {
      const job = await engine.findResearch(params['id'] ?? '', { team })
      const { status, data, error, expiresAt, depth, request, ...more } = await job.status()
      const activities = more.activities.map((one) => ({ ...one }))
      const sources = more.sources.map((one) => ({ ...one }))
      const { finalAnalysis = '', json } = data ?? {}
      return {
        success: told(status) !== 'failed',
        status: told(status),
        data: { finalAnalysis, activities, sources, ...(json !== undefined && { json }) },
        ...(status === 'cancelled' ? { error: 'The research was cancelled.' } : error !== undefined && { error }),
        expiresAt,
        currentDepth: depth,
        maxDepth: request.maxDepth,
        totalUrls: sources.length,
        activities,
        sources,
      }
    },
  }),
]

export const answerRoutes: readonly Route[] = researchRows
