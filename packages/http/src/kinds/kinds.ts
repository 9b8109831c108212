// Routes of the job kinds of plugins. Every kind has the same three routes, plus the routes of its other endpoint shapes.
import { EngineError, endpointOf, type ErrorCode, type PartJob } from '@harvestman/core'
import type { JobEndpoint, JobPart, JobEndpointView } from '@harvestman/core/plugin'
import { z } from 'zod'

import { ownPath } from './kind-list.ts'
import { idempotencyHeaders, idempotencyKey } from '../request/idempotency.ts'
import { route, type Route, type RouteCall } from '../route/route.ts'

const startedSchema = z.object({ success: z.literal(true), id: z.uuid() })
const cancelled = z.object({ success: z.literal(true), status: z.literal('cancelled') })

/** Errors of starting a job, which may load pages of a site or check the ports that it needs. */
const startFails = [
  'not_configured',
  'insufficient_credits',
  'conflict',
  'url_blocked',
  'dns_failed',
  'connection_failed',
  'map_timeout',
] as const satisfies readonly ErrorCode[]

/** Returns the routes of a job kind: at its own path, and at the paths of its older endpoint shapes. */
export function kindRows(part: JobPart): Route[] {
  const own = ownPath(part)
  const endpoints = part.endpoints.some(({ path }) => path === own)
    ? part.endpoints
    : [defaultEndpoint(part, own), ...part.endpoints]
  // Clients can cancel a job of any kind at its own path, even if an older API at that path had no cancellation.
  return endpoints.flatMap((endpoint) =>
    endpointRoutes(part, endpoint.path === own ? { ...endpoint, ends: endpoint.ends ?? 'once' } : endpoint),
  )
}

/** Returns the default endpoint shape of a kind, derived from its schemas. */
function defaultEndpoint({ title, answer, progress }: JobPart, path: `/${string}`): JobEndpoint {
  return {
    path,
    ends: 'once',
    state: z.object({
      success: z.boolean(),
      status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
      data: answer.optional().describe('Present when the job has completed.'),
      error: z.string().optional().describe('The reason for the failure.'),
      warning: z.string().optional().describe('A warning about a completed job.'),
      creditsUsed: z.number(),
      createdAt: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
      ...progress?.schema.shape,
    }),
    toBody: (status) => {
      const { id: _, request: __, finishedAt: ___, ...told } = status as Readonly<Record<string, unknown>>
      return { success: told['status'] !== 'failed', ...told }
    },
    messages: { notFound: `This ${title} does not exist.` },
  }
}

function endpointRoutes(part: JobPart, endpoint: JobEndpoint): Route[] {
  const { kind, description, title } = part
  const { path, messages, ends, list, also = [] } = endpoint
  const { state, toBody, started, headers } = withNotice(endpoint)
  const common = { group: endpointOf(kind), words: { notFound: messages.notFound }, ...(headers && { headers }) }
  const find = (call: RouteCall) => findAny([kind, ...also], call)
  const one = { ...common, path: `${path}/{id}`, rate: 'status', fails: ['not_found'] } as const
  const rows = [
    route({
      ...common,
      kind,
      method: 'POST',
      path,
      summary: `${description} Read by its id.`,
      input: () => endpoint.input?.() ?? part.request,
      engineChecks: endpoint.input === undefined,
      example: endpoint.example ?? part.example,
      reads: idempotencyHeaders,
      fails: startFails,
      output: () => started.schema,
      run: async ({ engine, input, headers, caller }) => {
        const request = endpoint.toRequest?.(input) ?? input
        const job = await engine.unchecked.start(kind, request, { ...caller, idempotencyKey: idempotencyKey(headers) })
        return { success: true as const, id: job.id, ...started.toBody(input, job) }
      },
    }),
    route({
      ...one,
      method: 'GET',
      summary: `Returns the status of a job of the kind ${title}, with its result.`,
      output: () => state,
      run: async (call) => toBody(await (await find(call)).status()),
    }),
  ]
  if (list) rows.push(listRow(part, endpoint, list))
  if (endpoint.thread) rows.push(threadRow(part, endpoint, endpoint.thread))
  rows.push(...(endpoint.views ?? []).map((view) => viewRow(one, view, find)))
  if (!ends) return rows
  return [
    ...rows,
    route({
      ...one,
      method: 'DELETE',
      summary: `Cancels a job of the kind ${title}.`,
      fails: ['not_found', 'conflict'],
      output: () => cancelled,
      run: async (call) => {
        const job = await find(call)
        if (await job.cancel()) return { success: true as const, status: 'cancelled' as const }
        const { status } = await job.status()
        throw new EngineError('conflict', ends === 'once' ? `The job is already ${status}.` : ends(status))
      },
    }),
  ]
}

const noticeShape = { warnings: z.array(z.string()).optional(), replacement: z.string().optional() }

/** Adds the deprecation notice, with the successor, to the responses of a deprecated endpoint shape. */
function withNotice({ state, toBody, started, deprecated }: JobEndpoint) {
  const schema = started ? startedSchema.extend(started.schema.shape) : startedSchema
  const formatStarted = (...of: [body: unknown, job: PartJob]): object => started?.toBody(...of) ?? {}
  if (!deprecated) return { state, toBody, started: { schema, toBody: formatStarted }, headers: undefined }
  const { sentence, successor } = deprecated
  const notice = { warnings: [sentence], ...(successor && { replacement: successor }) }
  return {
    state: state instanceof z.ZodObject ? state.extend(noticeShape) : state,
    toBody: (...status: Parameters<typeof toBody>) => ({ ...(toBody(...status) as object), ...notice }),
    started: {
      schema: schema.extend(noticeShape),
      toBody: (...of: Parameters<typeof formatStarted>) => ({ ...formatStarted(...of), ...notice }),
    },
    headers: {
      deprecation: 'true',
      warning: `299 - "${sentence}"`,
      ...(successor && { link: `<${successor}>; rel="successor-version"` }),
    },
  }
}

/** Returns the job of the first kind that has this id. Kinds that the engine does not have are skipped. */
async function findAny([kind = '', ...others]: readonly string[], call: RouteCall): Promise<PartJob> {
  const { engine, params, caller } = call
  try {
    return await engine.unchecked.find(kind, params['id'] ?? '', caller)
  } catch (error) {
    const known = others.filter((other) => engine.kinds.some((one) => one.kind === other))
    if (known.length === 0 || !EngineError.is(error) || error.code !== 'not_found') throw error
    return findAny(known, call)
  }
}

type JobRoute = Pick<Route, 'group' | 'words' | 'headers'> & { readonly path: `/${string}` }

function viewRow(
  { path, words, ...common }: JobRoute,
  { toBody, ...view }: JobEndpointView,
  find: (call: RouteCall) => Promise<PartJob>,
): Route {
  const { query = z.object({}), params, summary, schema } = view
  const missing = view.messages?.notFound ?? words?.notFound ?? 'There is no such view of the job.'
  return route({
    ...{ ...common, method: 'GET', path: `${path}${view.path}`, rate: 'status', summary, query },
    ...(params && { params }),
    words: { ...words, ...(view.messages?.badId !== undefined && { badId: view.messages.badId }) },
    fails: ['not_found'],
    output: () => z.object({ success: z.literal(true), ...schema.shape }),
    run: async (call) => {
      const found = toBody(await (await find(call)).status(), { params: call.params, query: call.query })
      // With a code of its own, the message replaces that for an unknown job.
      if (!found) throw new EngineError('not_found', missing, { details: { publicCode: 'NOT_FOUND' } })
      return { success: true as const, ...found }
    },
  })
}

function threadRow(
  { kind, title }: JobPart,
  { path }: JobEndpoint,
  { schema, toBody }: NonNullable<JobEndpoint['thread']>,
): Route {
  return route({
    method: 'GET',
    path: `${path}/threads/{threadId}`,
    params: { threadId: z.guid().toLowerCase() },
    group: endpointOf(kind),
    rate: 'status',
    summary: `Returns a thread of jobs of the kind ${title}, each of which continues the one before.`,
    query: z.object({ includeData: z.stringbool().optional().describe('Whether to return the result of each job.') }),
    words: { badId: 'Invalid thread ID' },
    fails: ['not_found', 'invalid_request'],
    output: () => z.object({ success: z.literal(true), thread: schema }),
    run: async ({ engine, params, caller, query: { includeData = false } }) => {
      const thread = await engine.unchecked.findThread(kind, params['threadId'] ?? '', caller)
      return { success: true as const, thread: toBody(thread, { includeData }) }
    },
  })
}

const maxListed = 20

/** Lists recently started jobs, from the activity. Expired jobs are skipped. */
function listRow(
  { kind, title }: JobPart,
  { path }: JobEndpoint,
  { name, row, toBody }: NonNullable<JobEndpoint['list']>,
): Route {
  return route({
    method: 'GET',
    path,
    group: endpointOf(kind),
    rate: 'status',
    feature: 'activity',
    summary: `Lists the jobs of the kind ${title} of the last 24 hours, newest first, at most ${maxListed}.`,
    query: z.object({
      before: z.coerce
        .number()
        .min(0)
        .optional()
        .describe('Only jobs that started before this time, in milliseconds since 1970.'),
    }),
    fails: ['invalid_request'],
    output: () => z.object({ success: z.literal(true), [name]: z.array(row), next: z.string().optional() }),
    run: async ({ engine, team, caller, query: { before = Infinity }, at }) => {
      const wanted: { readonly id: string; readonly created_at: string }[] = []
      for (let cursor: string | null | undefined; cursor !== null && wanted.length <= maxListed;) {
        const page = await engine.activity.list({ endpoint: kind, limit: 100, cursor }, { team })
        const isWanted = (entry: (typeof page.data)[number]): boolean =>
          entry.refused === undefined && Date.parse(entry.created_at) < before
        wanted.push(...page.data.filter(isWanted))
        cursor = page.cursor
      }
      const shown = wanted.slice(0, maxListed)
      const found = await Promise.all(
        shown.map(({ id }) => engine.unchecked.find(kind, id, caller).catch(() => undefined)),
      )
      const rows = await Promise.all(found.flatMap((job) => (job ? [job.status()] : [])))
      const last = shown.at(-1)
      const isMore = wanted.length > shown.length && last !== undefined
      const next = isMore ? { next: `${at}${path}?before=${Date.parse(last.created_at)}` } : {}
      return { success: true as const, [name]: rows.map((status) => toBody(status)), ...next }
    },
  })
}
