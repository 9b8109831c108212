// Learned extractors of an engine: `engine.extractors`.
import { defineFeature, type FeatureKit, type PrintedLine } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import { catalogIn, type Catalog, type Extractor } from './catalog.ts'
import { programSchema } from './program.ts'

const version = z.object({
  revision: z.int().min(1).describe('Number of changes, from 1.'),
  changedAt: z.number().describe('Milliseconds since 1970.'),
  program: programSchema,
})
const extractorVersion = version.meta({ id: 'ExtractorVersion', description: 'A program after a change.' })
const extractor = z
  .object({ id: z.string(), host: z.string(), ...version.shape })
  .meta({ id: 'Extractor', description: 'A learned extractor.' })

const params = { id: z.string().min(1).max(256) }
const one = '/v2/extractors/{id}'

/** Opens the extractors of each team. */
function openExtractors({ storeOf, clock }: FeatureKit) {
  const catalogOf = (team: string): Catalog => catalogIn(storeOf(team), () => clock.now())
  const find = async (team: string, id: string): Promise<Extractor> => {
    const found = await catalogOf(team).find(id)
    if (found) return found
    throw new EngineError('not_found', `There is no extractor ${id.slice(0, 300)}.`)
  }
  return { catalogOf, find }
}

/** Formats an extractor as a line of CLI output. */
function lineOf({ id, revision, program: { path, fields } }: z.output<typeof extractor>): PrintedLine {
  return [id, `revision ${revision}`, path, Object.keys(fields).join(', ').slice(0, 200)]
}

/** Feature that lists, edits and deletes learned extractors. */
export const extractors = defineFeature({
  name: 'extractors',
  summary: 'Lists and edits learned extractors, which read the pages of a site without a model.',
  activities: { extractor: 'extractors' },
  open: openExtractors,
  endpoints: (endpoint) => ({
    list: endpoint({
      method: 'GET',
      path: '/v2/extractors',
      summary: 'Lists the learned extractors of your team, the most recent site first.',
      output: z.array(extractor),
      command: { print: (found) => ({ lines: found.map(lineOf) }) },
      run: async ({ catalogOf }, { team }) => [...(await catalogOf(team).list())],
    }),
    get: endpoint({
      method: 'GET',
      path: one,
      params,
      summary: 'Returns an extractor with its program.',
      output: extractor,
      errors: ['not_found'],
      run: ({ find }, { team, params: { id } }) => find(team, id),
    }),
    edit: endpoint({
      method: 'PATCH',
      path: one,
      params,
      summary: 'Replaces the program of an extractor, starting with the next page.',
      input: z.strictObject({ program: programSchema }),
      output: extractor,
      errors: ['not_found', 'conflict'],
      example: { program: { version: 1, path: '/lamps/*', print: [], pages: 1, fields: {}, lists: {} } },
      run: async ({ catalogOf, find }, { team, params: { id }, input: { program } }) => {
        const { host, question } = await find(team, id)
        return catalogOf(team).put({ host, question, program }, id)
      },
    }),
    delete: endpoint({
      method: 'DELETE',
      path: one,
      params,
      summary: 'Deletes an extractor and its versions. Its pages are read by the model again.',
      errors: ['not_found'],
      run: async ({ catalogOf, find }, { team, params: { id } }) => {
        await find(team, id)
        await catalogOf(team).delete(id)
      },
    }),
    versions: endpoint({
      method: 'GET',
      path: `${one}/versions`,
      params,
      summary: 'Lists the last versions of an extractor, newest first.',
      output: z.array(extractorVersion),
      errors: ['not_found'],
      run: async ({ catalogOf, find }, { team, params: { id } }) => [
        ...(await catalogOf(team).versions(await find(team, id))),
      ],
    }),
  }),
})
