import type { JobFace, StatusOfPart } from '@harvestman/core/plugin'
import { z } from 'zod'

import type { AgentRequest } from './request.ts'

const statusWord = z.enum(['processing', 'completed', 'failed'])

/** The public API has no `cancelled` status for agents, so cancelled runs are reported as failed. */
const statusOf = (status: StatusOfPart<unknown>['status']) => (status === 'cancelled' ? 'failed' : status)

const row = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  targetHint: z.string(),
  origin: z.string(),
  settings: z.object({ hidden: z.boolean(), starred: z.boolean() }),
  status: statusWord,
  options: z.object({
    prompt: z.string(),
    urls: z.array(z.string()).optional(),
    model: z.string(),
    effort: z.string(),
  }),
})

/** The agent endpoints in the shape of version 2 of the public API. */
export const face: JobFace<StatusOfPart<unknown, object, AgentRequest>> = {
  path: '/v2/agent',
  ends: 'always',
  state: z.object({
    success: z.boolean(),
    status: statusWord,
    data: z.unknown().optional().describe('The answer. Present once the agent has completed.'),
    error: z.string().optional(),
    model: z.string(),
    effort: z.string(),
    cancelled: z.literal(true).optional().describe('Present if the agent was cancelled. Its status is `failed`.'),
    creditsUsed: z.int(),
    expiresAt: z.iso.datetime(),
  }),
  say: ({ status, data, error, creditsUsed, expiresAt, request: { model, effort } }) => {
    const why = status === 'cancelled' ? 'The agent was cancelled.' : error
    const more = {
      ...(status === 'cancelled' && { cancelled: true as const }),
      ...(data !== undefined && { data }),
      ...(why !== undefined && { error: why }),
    }
    return {
      success: statusOf(status) !== 'failed',
      status: statusOf(status),
      ...more,
      model,
      effort,
      creditsUsed,
      expiresAt,
    }
  },
  list: {
    name: 'agents',
    row,
    say: ({ id, createdAt, status, request: { prompt, urls, model, effort } }) => ({
      id,
      createdAt,
      targetHint: urls[0] ?? prompt.slice(0, 100),
      origin: 'api',
      settings: { hidden: false, starred: false },
      status: statusOf(status),
      options: { prompt, ...(urls.length > 0 && { urls: [...urls] }), model, effort },
    }),
  },
  words: {
    notFound: 'Agent job not found',
  },
}
