import { z } from 'zod'

import { textAnswer } from '../answer/answer.ts'
import { healthResponse, makeHealth } from './health.ts'
import { packedAnswer, type Packed } from '../answer/packed.ts'
import { route, type Route, type RouteCall } from '../route/route.ts'

const health = z.object({
  status: z.enum(['ok', 'unavailable']),
  store: z.string().describe('`ok`, or the reason why nothing can be stored.'),
})
const alive = z.object({ status: z.literal('ok') })

interface Described {
  readonly packed: Packed
  readonly headers: Headers
}

const service = { method: 'GET', group: 'service', isOpen: true } as const
const readiness = {
  ...service,
  output: () => health,
  fails: ['store_failed'],
  run: async ({ engine }: RouteCall) => makeHealth(engine)(),
  answer: healthResponse,
} as const

/** Routes about the server itself. */
export const serviceRoutes: readonly Route[] = [
  route({
    ...service,
    path: '/',
    summary: 'Describes this server.',
    output: () => z.object({ name: z.string(), api: z.array(z.string()), description: z.string() }),
    run: () => ({ name: 'Harvestman', api: ['/v2', '/v1'], description: '/openapi.json' }),
  }),
  route({
    ...service,
    path: '/openapi.json',
    summary: 'Describes this API, with the formats and actions of its plugins, as OpenAPI 3.1.',
    output: () => z.looseObject({ openapi: z.string() }),
    run: async ({ describe, headers }): Promise<Described> => ({ packed: await describe(), headers }),
    answer: ({ packed, headers: asked }: Described, headers) => packedAnswer(packed, asked, headers),
  }),
  route({
    ...readiness,
    path: '/health',
    summary: 'Returns 200 if the store works, and 503 with the reason otherwise.',
  }),
  route({ ...readiness, path: '/health/ready', summary: 'An alias of `/health`, for readiness probes.' }),
  route({
    ...service,
    path: '/health/live',
    summary: 'Returns 200 as long as the process runs, regardless of its store.',
    output: () => alive,
    run: () => ({ status: 'ok' as const }),
  }),
  route({
    ...service,
    path: '/v0/health/liveness',
    summary: 'An alias of `/health/live`, for probes of the public API.',
    output: () => alive,
    run: () => ({ status: 'ok' as const }),
  }),
  route({
    ...service,
    path: '/e2e-test',
    summary: 'Returns OK, for probes of the public API.',
    output: () => z.string(),
    gives: 'text/plain',
    run: () => 'OK',
    answer: textAnswer,
  }),
  route({
    ...service,
    path: '/is-production',
    summary: 'Returns `isProduction: true`, for probes of the public API.',
    output: () => z.object({ isProduction: z.boolean() }),
    run: () => ({ isProduction: true }),
  }),
  route({
    ...readiness,
    path: '/v0/health/readiness',
    summary: 'An alias of `/health`, for probes of the public API.',
  }),
]
