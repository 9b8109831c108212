// The trace of an agent run: events in the shape of the public API, made from its status.
import type { JobEndpointView } from '@harvestman/core/plugin'
import { z } from 'zod'

import { messageOf, type AgentStatus } from './shapes.ts'

const identity = z.object({ id: z.string(), role: z.literal('orchestrator'), name: z.string() })

const problem = z.object({
  code: z.enum(['cancelled', 'credit_limit_reached', 'internal']),
  source: z.enum(['agent', 'billing', 'system']),
  retryable: z.boolean(),
  message: z.string(),
})

const artifact = z.object({
  kind: z.enum(['json', 'text']),
  artifactId: z.string(),
  snapshotId: z.string().describe('Returned by `GET /v2/agent/{id}/snapshots/{snapshotId}`.'),
  change: z.enum(['init', 'partial']),
})

const base = {
  schemaVersion: z.literal(1),
  eventId: z.string(),
  runId: z.string(),
  occurredAt: z.iso.datetime(),
  producerSequence: z.int().describe('Position of the event, from 1.'),
  agent: identity,
}

const event = z.discriminatedUnion('type', [
  z.object({ ...base, type: z.literal('run.started') }),
  z.object({ ...base, type: z.literal('agent.started') }),
  z.object({
    ...base,
    type: z.literal('tool_call.started'),
    toolCallId: z.string(),
    toolName: z.string(),
    parameters: z.unknown(),
  }),
  z.object({
    ...base,
    type: z.literal('tool_call.finished'),
    toolCallId: z.string(),
    toolName: z.string(),
    result: z.object({ outcome: z.string(), isFailure: z.boolean() }),
  }),
  z.object({ ...base, type: z.literal('error.occurred'), error: problem }),
  z.object({ ...base, type: z.literal('artifact.updated'), artifact }),
  z.object({ ...base, type: z.literal('run.cancel_requested'), reason: z.literal('user') }),
  z.object({
    ...base,
    type: z.literal('agent.finished'),
    outcome: z.enum(['succeeded', 'failed', 'cancelled']),
    durationMs: z.number(),
    error: problem.nullable(),
  }),
  z.object({
    ...base,
    type: z.literal('run.finished'),
    outcome: z.enum(['succeeded', 'failed', 'cancelled', 'credit_limit_reached']),
    error: problem.nullable(),
  }),
])

type Event = z.input<typeof event>
type Problem = z.input<typeof problem>
type Known<One> = One extends unknown ? Omit<One, Exclude<keyof typeof base, 'occurredAt'>> : never
type Found = Known<Event>

const answerId = 'answer'
const partialId = 'partial'

/** Returns the events of a run. A call of a tool is recorded when it ends, so both of its events have that time. */
function eventsOf(status: AgentStatus): Event[] {
  const { id, createdAt, acts, finishedAt } = status
  const started: Found[] = (['run.started', 'agent.started'] as const).map((type) => ({ type, occurredAt: createdAt }))
  const found = [...started, ...acts.flatMap(callOf), ...(finishedAt === undefined ? [] : endOf(status, finishedAt))]
  return found.map((one, index) => ({
    ...{ schemaVersion: 1, eventId: `${id}.${index + 1}`, runId: id, producerSequence: index + 1 },
    agent: { id, role: 'orchestrator', name: 'agent' },
    ...one,
  }))
}

function callOf({ action, input, outcome, isFailure, at }: AgentStatus['acts'][number], index: number): Found[] {
  const call = { toolCallId: `call-${index + 1}`, toolName: action, occurredAt: at }
  // The model itself failed, so no tool was called.
  if (input === null) return [{ type: 'error.occurred', occurredAt: at, error: internal(outcome) }]
  return [
    { ...call, type: 'tool_call.started', parameters: input },
    { ...call, type: 'tool_call.finished', result: { outcome, isFailure } },
  ]
}

function endOf(status: AgentStatus, occurredAt: string): Found[] {
  const outcome = outcomeOf(status)
  const error = errorOf(status)
  const snapshot = snapshotsOf(status).at(0)
  const kind = status.request.mode === 'chat' ? 'text' : 'json'
  const durationMs = Math.max(0, Date.parse(occurredAt) - Date.parse(status.createdAt))
  const found: Found[] = []
  if (snapshot) {
    const change = snapshot.id === partialId ? 'partial' : 'init'
    const updated = { kind, artifactId: answerId, snapshotId: snapshot.id, change } as const
    found.push({ type: 'artifact.updated', occurredAt, artifact: updated })
  }
  if (outcome === 'cancelled') found.push({ type: 'run.cancel_requested', occurredAt, reason: 'user' })
  const ofAgent = outcome === 'credit_limit_reached' ? 'failed' : outcome
  found.push({ type: 'agent.finished', occurredAt, outcome: ofAgent, durationMs, error })
  found.push({ type: 'run.finished', occurredAt, outcome, error })
  return found
}

function outcomeOf({ status, stopReason }: AgentStatus): 'succeeded' | 'failed' | 'cancelled' | 'credit_limit_reached' {
  if (status === 'completed') return 'succeeded'
  return status === 'cancelled' ? 'cancelled' : (stopReason ?? 'failed')
}

function errorOf({ status, stopReason, error = 'The agent failed.' }: AgentStatus): Problem | null {
  if (status === 'completed') return null
  if (status === 'cancelled')
    return { code: 'cancelled', source: 'system', retryable: false, message: 'The agent was cancelled.' }
  return stopReason ? { code: stopReason, source: 'billing', retryable: true, message: error } : internal(error)
}

function internal(message: string): Problem {
  return { code: 'internal', source: 'agent', retryable: true, message }
}

interface Snapshot {
  readonly id: string
  readonly text: string
}

/** Returns the stored results of a run: its answer, or its partial answer. */
function snapshotsOf({ data, partial }: AgentStatus): readonly Snapshot[] {
  const all: readonly (readonly [string, unknown])[] = [
    [answerId, data],
    [partialId, partial],
  ]
  return all.flatMap(([id, value]) => (value === undefined ? [] : [{ id, text: messageOf(value) }]))
}

const activeBrowserSessions = z
  .array(z.unknown())
  .optional()
  .describe('Empty: agents use no live browsers. With `liveView`.')

/** `GET /v2/agent/{id}/trace`. */
export const traceView: JobEndpointView<AgentStatus> = {
  path: '/trace',
  summary: 'Returns the events of an agent: its actions, its answer and its end.',
  query: z.object({ liveView: z.stringbool().optional().describe('Whether `activeBrowserSessions` is returned.') }),
  schema: z.object({ id: z.uuid(), events: z.array(event), creditsUsed: z.number(), activeBrowserSessions }),
  toBody: (status, { query }) => ({
    id: status.id,
    events: eventsOf(status),
    creditsUsed: status.creditsUsed,
    ...(query['liveView'] === true && { activeBrowserSessions: [] }),
  }),
}

/** `GET /v2/agent/{id}/snapshots/{snapshotId}`. */
export const snapshotView: JobEndpointView<AgentStatus> = {
  path: '/snapshots/{snapshotId}',
  summary: 'Returns a result that an event of a trace names, as a string: text, or JSON.',
  params: { snapshotId: z.string().regex(/^[\w-]{1,64}$/) },
  messages: { badId: 'Invalid snapshot ID', notFound: 'Snapshot not found' },
  schema: z.object({ id: z.uuid(), snapshotId: z.string(), snapshot: z.string() }),
  toBody: (status, { params }) => {
    const found = snapshotsOf(status).find(({ id }) => id === params['snapshotId'])
    return found && { id: status.id, snapshotId: found.id, snapshot: found.text }
  },
}
