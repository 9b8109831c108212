import type { Claim, JobEndpoint, StatusOfPart } from '@harvestman/core/plugin'
import { z } from 'zod'

import { claims } from '../claims.ts'
import type { ResearchActivity, ResearchSource } from './notes.ts'
import { request, type ResearchRequest } from './request.ts'
import { activity, source } from './shapes.ts'

interface Found {
  readonly finalAnalysis: string
  readonly json?: unknown
}

interface ResearchProgress {
  readonly activities: readonly ResearchActivity[]
  readonly sources: readonly ResearchSource[]
  readonly depth: number
  readonly claims?: readonly Claim[] | undefined
}

const lists = { activities: z.array(activity), sources: z.array(source) }
const about = z.string().max(10_000)

/** `topic` is the older name of `query`. */
const input = z
  .strictObject({
    ...request.shape,
    query: about.optional().describe('The question to answer.'),
    topic: about.optional().meta({ description: 'The former name of `query`.', deprecated: true }),
  })
  .superRefine(({ query, topic }, context) => {
    if (query !== undefined || topic !== undefined) return
    context.addIssue({ code: 'custom', path: ['query'], message: "Either 'query' or 'topic' must be provided." })
  })
  .transform(({ topic, query, ...more }) => ({ ...more, query: query ?? topic }))

/** The deep-research endpoints in the shape of version 1 of the public API. */
export const endpoint: JobEndpoint<StatusOfPart<Found, ResearchProgress, ResearchRequest>> = {
  path: '/v1/deep-research',
  deprecated: {
    sentence: 'The public API replaces deep research by /v2/search. Deep research still works here.',
    successor: '/v2/search',
  },
  input: () => input,
  state: z.object({
    success: z.boolean(),
    status: z.enum(['processing', 'completed', 'failed']),
    data: z.object({ finalAnalysis: z.string(), ...lists, json: z.unknown().optional() }),
    error: z.string().optional(),
    expiresAt: z.iso.datetime(),
    currentDepth: z.int(),
    maxDepth: z.int(),
    totalUrls: z.int(),
    claims,
    ...lists,
  }),
  toBody: ({ status, data, error, expiresAt, depth, request: { maxDepth }, activities, sources, claims: found }) => {
    const { finalAnalysis = '', json } = data ?? {}
    return {
      success: status === 'processing' || status === 'completed',
      // Version 1 has no `cancelled` status.
      status: status === 'cancelled' ? 'failed' : status,
      data: { finalAnalysis, activities, sources, ...(json !== undefined && { json }) },
      ...(status === 'cancelled' ? { error: 'The research was cancelled.' } : error !== undefined && { error }),
      expiresAt,
      currentDepth: depth,
      maxDepth,
      totalUrls: sources.length,
      ...(found && { claims: found }),
      activities,
      sources,
    }
  },
  messages: {
    notFound: 'Deep research job not found',
  },
}
