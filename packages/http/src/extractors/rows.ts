// The rows about learned extractors.
import { EngineError } from '@harvestman/core'
import { programSchema, type Extractors } from '@harvestman/data'
import { z } from 'zod'

import type { ApiEngine } from '../route/engine.ts'
import { route, success, type Route, type RouteCall, type Words } from '../route/route.ts'
import { extractorSchema, showExtractor, showVersion, versionSchema } from './answers.ts'

const words: Words = { notFound: 'Extractor not found', statuses: { not_configured: 503 } }
const common = { group: 'extractors', words } as const
const reading = { ...common, rate: 'status' } as const
const one = '/v2/extractors/{id}'
const params = { id: z.string().max(256) }
const fails = ['not_found', 'not_configured'] as const

function extractorsOf({ extractors }: Pick<ApiEngine, 'extractors'>): Extractors {
  if (extractors) return extractors
  throw new EngineError('not_configured', 'This server has no extractors.')
}

const idOf = ({ params }: Pick<RouteCall, 'params'>): string => params['id'] ?? ''

export const extractorRows: readonly Route[] = [
  route({
    ...reading,
    method: 'GET',
    path: '/v2/extractors',
    summary: 'Lists the learned extractors of your team, the most recent site first.',
    fails: ['not_configured'],
    output: () => z.object({ success: z.literal(true), data: z.array(extractorSchema) }),
    run: async ({ engine, team }) => success((await extractorsOf(engine).list({ team })).map(showExtractor)),
  }),
  route({
    ...reading,
    method: 'GET',
    path: one,
    params,
    summary: 'Returns an extractor with its program.',
    fails,
    output: () => z.object({ success: z.literal(true), data: extractorSchema }),
    run: async ({ engine, team, ...call }) =>
      success(showExtractor(await extractorsOf(engine).find(idOf(call), { team }))),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: one,
    params,
    summary: 'Replaces the program of an extractor, from the next page on.',
    fails: [...fails, 'conflict'],
    input: () => z.strictObject({ program: programSchema }),
    example: { program: { version: 1, path: '/lamps/*', print: [], pages: 1, fields: {}, lists: {} } },
    output: () => z.object({ success: z.literal(true), data: extractorSchema }),
    run: async ({ engine, input, asker, ...call }) =>
      success(showExtractor(await extractorsOf(engine).edit(idOf(call), input.program, asker))),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    params,
    summary: 'Deletes an extractor and its versions. The model is asked about its pages again.',
    fails,
    output: () => z.object({ success: z.literal(true) }),
    run: async ({ engine, asker, ...call }) => {
      await extractorsOf(engine).delete(idOf(call), asker)
      return { success: true as const }
    },
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${one}/versions`,
    params,
    summary: 'Lists the last versions of an extractor, the newest first.',
    fails,
    output: () => z.object({ success: z.literal(true), data: z.array(versionSchema) }),
    run: async ({ engine, team, ...call }) =>
      success((await extractorsOf(engine).versions(idOf(call), { team })).map(showVersion)),
  }),
]
