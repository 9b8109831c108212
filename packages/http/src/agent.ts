// An agent that looks for an answer on the web. Version 2 alone has it.
import { z } from 'zod'

import { idempotencyHeaders, idempotencyKey } from './jobs/idempotency.ts'
import { route, type Route } from './route.ts'

const words = { badId: 'Invalid job ID format. Job ID must be a valid UUID.', notFound: 'Agent job not found' }

const statusWord = z.enum(['processing', 'completed', 'failed', 'cancelled'])

const state = z.object({
  success: z.boolean(),
  status: statusWord,
  data: z.unknown().optional().describe('The answer; there when it is completed.'),
  error: z.string().optional(),
  model: z.string(),
  effort: z.string(),
  creditsUsed: z.int(),
  expiresAt: z.iso.datetime(),
})

const listed = z.object({
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

const mostListed = 20

export const agentRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v2/agent',
    group: 'agent',
    summary: 'Looks for an answer on the web: a language model chooses what is searched and read. Read by its id.',
    input: ({ agent }) => agent,
    engineChecks: true,
    example: { prompt: 'Which plans does the shop have, and what do they cost?', urls: ['https://example.com/'] },
    reads: idempotencyHeaders,
    fails: ['not_configured', 'url_blocked', 'insufficient_credits', 'conflict'],
    words,
    output: () => z.object({ success: z.literal(true), id: z.uuid() }),
    run: async ({ engine, input, asker, headers }) => {
      const call = { ...asker, idempotencyKey: idempotencyKey(headers) }
      const { id } = await engine.agentAny(input, call)
      return { success: true as const, id }
    },
  }),
  route({
    method: 'GET',
    path: '/v2/agent',
    group: 'agent',
    rate: 'status',
    summary: 'Lists the agents of the last 24 hours, the newest first, 20 at once.',
    query: z.object({
      before: z.coerce.number().min(0).optional().describe('Only those begun before; ms since 1970.'),
    }),
    fails: ['invalid_request'],
    output: () => z.object({ success: z.literal(true), agents: z.array(listed), next: z.string().optional() }),
    run: async ({ engine, team, query, at }) => {
      const { entries } = await engine.activity({ endpoint: 'agent', limit: 100 }, { team })
      const { before = Infinity } = query
      const wanted = entries.filter(({ refused, createdAt }) => refused === undefined && Date.parse(createdAt) < before)
      const shown = wanted.slice(0, mostListed)
      const found = await Promise.all(shown.map(({ id }) => agentListed(engine, id, team)))
      const last = shown.at(-1)
      const isMore = wanted.length > shown.length && last !== undefined
      const next = isMore ? { next: `${at}/v2/agent?before=${Date.parse(last.createdAt)}` } : {}
      return { success: true as const, agents: found.flatMap((agent) => agent ?? []), ...next }
    },
  }),
  route({
    method: 'GET',
    path: '/v2/agent/{id}',
    group: 'agent',
    rate: 'status',
    summary: 'Gives the state of an agent, and its answer.',
    fails: ['not_found'],
    words,
    output: () => state,
    run: async ({ engine, params, team }) => {
      const { status, data, error, creditsUsed, expiresAt, request } = await (
        await engine.findAgent(params['id'] ?? '', { team })
      ).status()
      const { model, effort } = request
      const more = { ...(data !== undefined && { data }), ...(error !== undefined && { error }) }
      return { success: status !== 'failed', status, ...more, model, effort, creditsUsed, expiresAt }
    },
  }),
  route({
    method: 'DELETE',
    path: '/v2/agent/{id}',
    group: 'agent',
    rate: 'status',
    summary: 'Ends an agent. It costs nothing then.',
    fails: ['not_found'],
    words,
    output: () => z.object({ success: z.literal(true) }),
    run: async ({ engine, params, team }) => {
      await (await engine.findAgent(params['id'] ?? '', { team })).cancel()
      return { success: true as const }
    },
  }),
]

/** One that has expired meanwhile is left out. */
async function agentListed(engine: Parameters<Route['run']>[0]['engine'], id: string, team: string) {
  const agent = await engine.findAgent(id, { team }).catch(() => undefined)
  if (!agent) return undefined
  const { status, createdAt, request } = await agent.status()
  const { prompt, urls, model, effort } = request
  return {
    id,
    createdAt,
    targetHint: urls[0] ?? prompt.slice(0, 100),
    origin: 'api',
    settings: { hidden: false, starred: false },
    status,
    options: { prompt, ...(urls.length > 0 && { urls: [...urls] }), model, effort },
  }
}
