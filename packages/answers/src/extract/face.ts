import type { JobFace, StatusOfPart } from '@harvestman/core/plugin'
import { z } from 'zod'

import { agent } from '../agent/agent.ts'
import { invalidIn } from './pages.ts'
import type { ExtractRequest } from './request.ts'
import type { Told } from './told.ts'

/** The public API has put another in its place, and clients are told so; here it stays. */
const replacement = '/v2/agent'
const sentence = 'Extract is replaced by /v2/agent in the public API. It goes on to work here.'
const older = { warnings: z.array(z.string()).optional(), replacement: z.string().optional() }

const started = z.object({
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

type Face = JobFace<StatusOfPart<unknown, Partial<Told>, ExtractRequest>>

/** The shape that both versions of the public API have. An agent is found here as well: its clients look for it under either address. */
function faceAt(path: Face['path'], notice: object, more: Partial<Face> = {}): Face {
  return {
    path,
    also: [agent.kind],
    started: { schema: started, say: (body) => ({ urlTrace: [], ...invalid(body), ...notice }) },
    state,
    say: ({ status, data = [], error, warning, sources, urlTrace, creditsUsed, expiresAt }) => ({
      success: status !== 'failed',
      data,
      ...(sources && { sources }),
      ...(urlTrace && { urlTrace }),
      status,
      ...(error !== undefined && { error }),
      ...(warning !== undefined && { warning }),
      creditsUsed,
      expiresAt,
      ...notice,
    }),
    words: { badId: 'Invalid job ID format. Job ID must be a valid UUID.', notFound: 'Extract job not found' },
    ...more,
  }
}

function invalid(body: unknown): { readonly invalidURLs?: readonly string[] } {
  // Cast: a body that the kind has taken.
  const { urls = [], agent } = body as { readonly urls?: readonly string[]; readonly agent?: object }
  const invalidURLs = agent ? [] : invalidIn(urls)
  return invalidURLs.length > 0 ? { invalidURLs } : {}
}

/** The two versions differ in what becomes of addresses that are none, and of what surrounds the content. */
function fromOlder(body: unknown): unknown {
  return { ignoreInvalidURLs: false, scrapeOptions: { onlyMainContent: false }, ...(body as object) }
}

export const faces: readonly Face[] = [
  faceAt(
    '/v2/extract',
    { warnings: [sentence], replacement },
    {
      headers: {
        deprecation: 'true',
        link: `<${replacement}>; rel="successor-version"`,
        warning: `299 - "${sentence}"`,
      },
    },
  ),
  faceAt('/v1/extract', {}, { asked: fromOlder }),
]
