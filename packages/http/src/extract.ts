// One value from many pages, in both versions.
import { EngineError, type ExtractStatus } from '@harvestman/core'
import type { Json } from '@harvestman/ports'
import { z } from 'zod'

import { idempotencyHeaders, idempotencyKey } from './jobs/idempotency.ts'
import { route, type Route, type RouteCall, type Version } from './route.ts'

const words = { badId: 'Invalid job ID format. Job ID must be a valid UUID.', notFound: 'Extract job not found' }

/** The public API has put another in its place, and clients are told so; here it stays. */
const replacement = '/v2/agent'
const sentence = 'Extract is replaced by /v2/agent in the public API. It goes on to work here.'
const deprecations = {
  deprecation: 'true',
  link: `<${replacement}>; rel="successor-version"`,
  warning: `299 - "${sentence}"`,
}
const older = { warnings: z.array(z.string()).optional(), replacement: z.string().optional() }

const started = z.object({
  success: z.literal(true),
  id: z.uuid(),
  urlTrace: z.array(z.unknown()),
  invalidURLs: z.array(z.string()).optional(),
  ...older,
})

const state = z.object({
  success: z.boolean(),
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
  data: z.unknown().describe('The value; an empty list until it is there.'),
  sources: z.record(z.string(), z.array(z.string())).optional(),
  error: z.string().optional(),
  warning: z.string().optional(),
  urlTrace: z.array(z.looseObject({ url: z.string(), status: z.string() })).optional(),
  creditsUsed: z.int(),
  expiresAt: z.iso.datetime(),
  ...older,
})

function noticeOf(version: Version) {
  return version === 'v2' ? { warnings: [sentence], replacement } : {}
}

function headersOf(version: Version): Pick<Route, 'headers'> {
  return version === 'v2' ? { headers: deprecations } : {}
}

function startRow(version: Version): Route {
  return route({
    method: 'POST',
    path: `/${version}/extract`,
    group: 'extract',
    summary: 'Reads one value from many pages, in the shape of a schema. Its result is read by its id.',
    input: ({ extract }) => extract,
    engineChecks: true,
    example: {
      urls: ['https://example.com/'],
      schema: { type: 'object', properties: { title: { type: 'string' } } },
    },
    reads: idempotencyHeaders,
    fails: ['not_configured', 'url_blocked', 'conflict'],
    words,
    ...headersOf(version),
    output: () => started,
    run: async ({ engine, input, asker, headers }) => {
      const { id, invalidURLs } = await engine.extractAny(toCore(input, version), {
        ...asker,
        idempotencyKey: idempotencyKey(headers),
      })
      return {
        success: true as const,
        id,
        urlTrace: [],
        ...(invalidURLs.length > 0 && { invalidURLs: [...invalidURLs] }),
        ...noticeOf(version),
      }
    },
  })
}

function stateRow(version: Version): Route {
  return route({
    method: 'GET',
    path: `/${version}/extract/{id}`,
    group: 'extract',
    rate: 'status',
    summary: 'Gives the state of an extract, and its value.',
    fails: ['not_found'],
    words,
    ...headersOf(version),
    output: () => state,
    run: async ({ engine, params, team }) => {
      const { id: _, data = [], sources, urlTrace, ...rest } = await stateOf(params['id'] ?? '', team, engine)
      const from = sources && Object.fromEntries(Object.entries(sources).map(([name, urls]) => [name, [...urls]]))
      return {
        success: rest.status !== 'failed',
        data,
        ...(from && { sources: from }),
        ...(urlTrace && { urlTrace: urlTrace.map((one) => ({ ...one })) }),
        ...rest,
        ...noticeOf(version),
      }
    },
  })
}

/** The kind of job that stands in for an extract. */
const standIn = 'agent'

/** An agent is found here as well: its clients look for it under either address. */
async function stateOf(id: string, team: string, engine: RouteCall['engine']): Promise<ExtractStatus> {
  try {
    return await (await engine.findExtract(id, { team })).status()
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'not_found') throw error
    if (!engine.kinds.some(({ kind }) => kind === standIn)) throw error
    const job = await engine.unchecked.find(standIn, id, { team })
    const { status, data, error: why, creditsUsed, expiresAt } = await job.status()
    // Cast: the answer of a kind is JSON.
    return {
      id,
      status,
      ...(data !== undefined && { data: data as Json }),
      ...(why !== undefined && { error: why }),
      creditsUsed,
      expiresAt,
    }
  }
}

/** The two versions differ in what becomes of addresses that are none, and of what surrounds the content. */
function toCore(input: unknown, version: Version): unknown {
  if (version === 'v2') return input
  return { ignoreInvalidURLs: false, scrapeOptions: { onlyMainContent: false }, ...(input as object) }
}

export const extractRoutes: readonly Route[] = (['v2', 'v1'] as const).flatMap((version) => [
  startRow(version),
  stateRow(version),
])
