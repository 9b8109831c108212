// Threads of agents: a run may continue the conversation of earlier ones.
import type { JobThread, JobThreadEndpoint, JobThreads, ThreadTurn } from '@harvestman/core/plugin'
import { z } from 'zod'

import type { AgentNote, RunThread } from './notes.ts'
import type { AgentRequest } from './request.ts'
import { exchangeSummary, messageOf, modeWord, noExchange, type AgentStatus } from './shapes.ts'

const limits = { turns: 6, characters: 4_000 }

export const threads: JobThreads<AgentRequest, AgentNote> = {
  option: 'threadId',
  inherit: (given, { schema, mode, exchange }) => ({
    ...given,
    ...(given['schema'] === undefined && schema && { schema }),
    ...(given['mode'] === undefined && { mode }),
    ...(given['exchange'] === undefined && exchange && { exchange }),
  }),
  begin: ({ thread: id, turn, earlier }) => ({
    thread: { id, turn, earlier: earlier.slice(-limits.turns).flatMap(exchangeIn) },
  }),
}

/** Returns the prompt and the result of an earlier turn. A turn without a result is omitted. */
function exchangeIn({ data, request }: ThreadTurn<AgentRequest>['earlier'][number]): RunThread['earlier'] {
  if (data === undefined) return []
  return [{ prompt: request.prompt.slice(0, limits.characters), answer: messageOf(data).slice(0, limits.characters) }]
}

const runStatus = z.enum(['processing', 'succeeded', 'failed', 'cancelled', 'credit_limit_reached'])

const run = z.object({
  id: z.uuid(),
  turn: z.int(),
  mode: modeWord,
  prompt: z.string(),
  urls: z.array(z.string()).optional(),
  schema: z.unknown().optional(),
  effort: z.enum(['low', 'medium', 'high']),
  status: runStatus,
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  creditsUsed: z.number().nullable(),
  message: z.string().nullable().describe('The answer of a completed chat.'),
  data: z.unknown().optional().describe('The answer, with `includeData=true`.'),
  exchange: exchangeSummary.optional(),
})

/** The thread endpoint in the shape of the public API. */
export const threadEndpoint: JobThreadEndpoint<AgentStatus> = {
  schema: z.object({
    id: z.uuid(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    status: z.enum(['idle', 'running']),
    runs: z.array(run).describe('In the order of their turns.'),
  }),
  toBody: ({ runs, ...thread }, { includeData }) => ({
    ...thread,
    status: runs.some(({ status }) => status.status === 'processing') ? 'running' : 'idle',
    runs: runs.map((one) => showRun(one, includeData)),
  }),
}

function showRun(
  { turn, finishedAt, status }: JobThread<AgentStatus>['runs'][number],
  includeData: boolean,
): z.input<typeof run> {
  const { id, data, createdAt, creditsUsed, request } = status
  const { mode, prompt, urls, schema, effort, exchange } = request
  const isMessage = mode === 'chat' && data !== undefined
  return {
    ...{ id, turn, mode, prompt, effort, createdAt, finishedAt },
    ...(urls.length > 0 && { urls: [...urls] }),
    ...(schema && { schema }),
    status: runStatusOf(status),
    creditsUsed: status.status === 'processing' ? null : creditsUsed,
    message: isMessage ? messageOf(data) : null,
    ...(includeData && data !== undefined && { data: isMessage ? null : data }),
    ...(exchange && { exchange: noExchange }),
  }
}

function runStatusOf({ status, stopReason }: AgentStatus): z.input<typeof runStatus> {
  if (status === 'completed') return 'succeeded'
  return status === 'failed' ? (stopReason ?? status) : status
}
