// The rows about records: what requests with `record: true` had from outside, as WARC.
import { EngineError } from '@harvestman/core'
import type { KeptRecord, Records } from '@harvestman/record'
import { z } from 'zod'

import { always, type Answer } from '../answer/answer.ts'
import type { ApiEngine } from '../route/engine.ts'
import { route, type Route, type RouteCall, type Words } from '../route/route.ts'

const words: Words = { notFound: 'Record not found', statuses: { not_configured: 503 } }
const common = {
  group: 'records',
  words,
  path: '/v2/records/{id}',
  params: { id: z.string().max(64) },
  fails: ['not_found', 'not_configured'],
} as const

function recordsOf({ records }: Pick<ApiEngine, 'records'>): Records {
  if (records) return records
  throw new EngineError('not_configured', 'This server keeps no records. Its operator can set HARVESTMAN_RECORDS=true.')
}

/** Refuses a key that may not read the job of a record. Records of single requests have no job. */
async function checkJob({ engine, asker, ...call }: Pick<RouteCall, 'engine' | 'asker' | 'params'>): Promise<void> {
  await engine.jobs.find(idOf(call), asker).catch((error: unknown) => {
    if (!EngineError.is(error) || error.code !== 'not_found') throw error
  })
}

const idOf = ({ params }: Pick<RouteCall, 'params'>): string => params['id'] ?? ''

function fileAnswer({ id, read }: KeptRecord, headers: Answer['headers']): Answer {
  const own = { 'content-type': 'application/gzip', 'content-disposition': `attachment; filename="${id}.warc.gz"` }
  return { status: 200, headers: { ...always, ...headers, ...own }, body: read(), hasEnd: true }
}

export const recordRoutes: readonly Route[] = [
  route({
    ...common,
    rate: 'status',
    method: 'GET',
    summary: 'Returns the record of a request that had `record: true`, as a .warc.gz file.',
    output: () => z.string(),
    gives: 'application/gzip',
    run: async (call) => {
      const found = await recordsOf(call.engine).get(idOf(call), { team: call.team })
      await checkJob(call)
      return found
    },
    answer: fileAnswer,
  }),
  route({
    ...common,
    method: 'DELETE',
    summary: 'Deletes the record of a request. Repeating it has no effect.',
    output: () => z.object({ success: z.literal(true) }),
    run: async (call) => {
      await checkJob(call)
      await recordsOf(call.engine).delete(idOf(call), call.asker)
      return { success: true } as const
    },
  }),
]
