import { randomUUID } from 'node:crypto'

import { EngineError } from '@harvestman/core'
import { z } from 'zod'

import { route, type Route, type RouteCall } from './route.ts'

const health = z.object({ status: z.literal('ok') })
const works = { status: 'ok' } as const

/** The rows that are about the server, not about pages. */
export const serviceRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/',
    group: 'service',
    summary: 'Says what this server is.',
    isOpen: true,
    output: () => z.object({ name: z.string(), api: z.array(z.string()), description: z.string() }),
    run: () => ({ name: 'Harvestman', api: ['/v2', '/v1'], description: '/openapi.json' }),
  }),
  route({
    method: 'GET',
    path: '/openapi.json',
    group: 'service',
    summary: 'Describes this API, with the formats and actions of its plugins, as OpenAPI 3.1.',
    isOpen: true,
    output: () => z.looseObject({ openapi: z.string() }),
    run: ({ describe }) => describe() as { openapi: string },
  }),
  route({
    method: 'GET',
    path: '/health',
    group: 'service',
    summary: 'Answers 200 when the server can work, and 503 when its store cannot be read.',
    isOpen: true,
    output: () => health,
    run: checkHealth,
  }),
  route({
    method: 'GET',
    path: '/v0/health/liveness',
    group: 'service',
    summary: 'Answers 200 as long as the process runs.',
    isOpen: true,
    output: () => health,
    run: () => works,
  }),
  route({
    method: 'GET',
    path: '/v0/health/readiness',
    group: 'service',
    summary: 'The same as `/health`, under the name that probes of the public API use.',
    isOpen: true,
    output: () => health,
    run: checkHealth,
  }),
]

/** Asks for a result that cannot be there: an engine that says so has read its store. */
async function checkHealth({ engine }: RouteCall): Promise<typeof works> {
  try {
    await engine.findScrape(randomUUID())
  } catch (error) {
    if (EngineError.is(error) && error.code === 'not_found') return works
    throw new EngineError('store_failed', 'The store cannot be read.', { cause: error })
  }
  return works
}
