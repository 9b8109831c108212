import type { JobEndpoint, StatusOfPart } from '@harvestman/core/plugin'
import { z } from 'zod'

import { agent } from '../agent/agent.ts'
import { claims } from '../claims.ts'
import { findInvalidUrls } from './pages.ts'
import type { ExtractRequest } from './request.ts'
import type { ExtractDetails } from './details.ts'

const deprecated = {
  sentence: 'The public API replaces extract by the format json of /v2/scrape. Extract still works here.',
  successor: '/v2/scrape',
} as const

const started = z.object({
  urlTrace: z.array(z.unknown()),
  invalidURLs: z.array(z.string()).optional(),
})

const state = z.object({
  success: z.boolean(),
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
  data: z.unknown().describe('The value. An empty list until the job has completed.'),
  sources: z.record(z.string(), z.array(z.string())).optional(),
  error: z.string().optional(),
  warning: z.string().optional(),
  claims,
  urlTrace: z.array(z.looseObject({ url: z.string(), status: z.string() })).optional(),
  creditsUsed: z.int(),
  expiresAt: z.iso.datetime(),
})

type Endpoint = JobEndpoint<StatusOfPart<unknown, Partial<ExtractDetails>, ExtractRequest>>

/**
 * Builds the endpoint in the shape of the public API. It also finds agent jobs, because clients poll agents at this path too.
 */
function endpointAt(path: Endpoint['path'], more: Partial<Endpoint> = {}): Endpoint {
  return {
    path,
    deprecated,
    also: [agent.kind],
    started: { schema: started, toBody: (body) => ({ urlTrace: [], ...invalid(body) }) },
    state,
    toBody: ({ status, data = [], error, warning, sources, urlTrace, claims: found, creditsUsed, expiresAt }) => ({
      success: status !== 'failed',
      data,
      ...(sources && { sources }),
      ...(urlTrace && { urlTrace }),
      status,
      ...(error !== undefined && { error }),
      ...(warning !== undefined && { warning }),
      ...(found && { claims: found }),
      creditsUsed,
      expiresAt,
    }),
    messages: { notFound: 'Extract job not found' },
    ...more,
  }
}

function invalid(body: unknown): { readonly invalidURLs?: readonly string[] } {
  // Cast: the body has passed validation.
  const { urls = [], agent } = body as { readonly urls?: readonly string[]; readonly agent?: object }
  const invalidURLs = agent ? [] : findInvalidUrls(urls)
  return invalidURLs.length > 0 ? { invalidURLs } : {}
}

/** Defaults of version 1: invalid URLs fail the request, and pages keep more than their main content. */
function fromOlder(body: unknown): unknown {
  return { ignoreInvalidURLs: false, scrapeOptions: { onlyMainContent: false }, ...(body as object) }
}

export const endpoints: readonly Endpoint[] = [
  endpointAt('/v2/extract'),
  endpointAt('/v1/extract', { toRequest: fromOlder }),
]
