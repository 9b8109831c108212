import type { JobEndpoint } from '@harvestman/core/plugin'
import { z } from 'zod'

import { claims } from '../claims.ts'
import { exchangeSummary, messageOf, modeWord, noExchange, type AgentStatus } from './shapes.ts'
import { threadEndpoint } from './thread.ts'
import { snapshotView, traceView } from './trace.ts'

const statusWord = z.enum(['processing', 'completed', 'failed'])

/** The public API has no `cancelled` status for agents, so cancelled runs are reported as failed. */
const statusOf = (status: AgentStatus['status']) => (status === 'cancelled' ? 'failed' : status)

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
    threadId: z.string().optional(),
    threadTurn: z.int().optional(),
  }),
})

/** The agent endpoints in the shape of version 2 of the public API. */
export const endpoint: JobEndpoint<AgentStatus> = {
  path: '/v2/agent',
  ends: (status) => (status === 'cancelled' ? 'Agent is already cancelled' : 'Agent already finished'),
  started: {
    schema: z.object({
      threadId: z.uuid().describe('Its conversation. Pass it to continue it.'),
      threadTurn: z.int().describe('Its place in the conversation, from 1.'),
    }),
    toBody: (_, { thread }) => ({ threadId: thread?.id, threadTurn: thread?.turn }),
  },
  state: z.object({
    success: z.boolean().describe('True for every agent: `status` says whether it has an answer.'),
    status: statusWord,
    data: z.unknown().optional().describe('The answer. Present once the agent has completed; null with `mode: chat`.'),
    threadId: z.string().optional().describe('Its conversation.'),
    threadTurn: z.int().optional().describe('Its place in the conversation, from 1.'),
    mode: modeWord,
    message: z.string().optional().describe('The answer of a completed chat.'),
    stopReason: z.literal('credit_limit_reached').optional().describe('Why it stopped early. Its status is `failed`.'),
    partial: z.unknown().optional().describe('The answer as far as the credits allowed; of one that stopped early.'),
    partialSchemaValid: z.boolean().optional().describe('Whether `partial` has the shape of the schema.'),
    claims,
    exchange: exchangeSummary.optional().describe('There when the request has `exchange`: no paid call is made.'),
    error: z.string().optional(),
    model: z.string(),
    effort: z.string(),
    cancelled: z.literal(true).optional().describe('Present if the agent was cancelled. Its status is `failed`.'),
    creditsUsed: z.int(),
    expiresAt: z.iso.datetime(),
  }),
  toBody: ({ status, data, error, creditsUsed, expiresAt, request, ...more }) => {
    const { threadId, threadTurn, stopReason, partial, partialSchemaValid, claims: found } = more
    const { model, effort, mode, exchange } = request
    const why = status === 'cancelled' ? 'The agent was cancelled.' : error
    const isMessage = mode === 'chat' && status === 'completed'
    return {
      success: true,
      status: statusOf(status),
      ...(status === 'cancelled' && { cancelled: true as const }),
      ...(data !== undefined && { data: isMessage ? null : data }),
      ...(isMessage && { message: messageOf(data) }),
      ...(why !== undefined && { error: why }),
      ...(threadId !== undefined && { threadId, threadTurn }),
      ...(stopReason !== undefined && { stopReason }),
      ...(partial !== undefined && { partial }),
      ...(partialSchemaValid !== undefined && { partialSchemaValid }),
      ...(found && { claims: found }),
      ...(exchange && { exchange: noExchange }),
      ...{ mode, model, effort, creditsUsed, expiresAt },
    }
  },
  list: {
    name: 'agents',
    row,
    toBody: ({ id, createdAt, status, threadId, threadTurn, request: { prompt, urls, model, effort } }) => ({
      id,
      createdAt,
      targetHint: urls[0] ?? prompt.slice(0, 100),
      origin: 'api',
      settings: { hidden: false, starred: false },
      status: statusOf(status),
      options: {
        prompt,
        ...(urls.length > 0 && { urls: [...urls] }),
        ...{ model, effort },
        ...(threadId !== undefined && { threadId, threadTurn }),
      },
    }),
  },
  thread: threadEndpoint,
  views: [traceView, snapshotView],
  messages: {
    notFound: 'Agent job not found',
  },
}
