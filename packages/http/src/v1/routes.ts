import { z } from 'zod'

import { explainReads, wantsExplanation } from '../explain.ts'
import { jobRows } from '../jobs/rows.ts'
import { route, success, type Route, type Schemas } from '../route.ts'
import { v1DocumentSchema, v1ScrapeSchema } from './schema.ts'
import { fromCore, fromCoreLater, toCore } from './translate.ts'
import { v1Voice } from './voice.ts'

const output =
  (as: 'answer' | 'status') =>
  ({ document }: Schemas) =>
    z.object({ success: z.literal(true), data: v1DocumentSchema(document, as) })

/** The rows of version 1. Each translates what it is asked, and what it answers. */
export const v1Routes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/scrape',
    summary: 'Loads a page and gives its content in the formats asked for.',
    input: ({ scrape }) => v1ScrapeSchema(scrape),
    reads: explainReads,
    output: output('answer'),
    run: async ({ engine, input, headers, team, signal, filesAt, settings }) => {
      const call = { team, signal, filesAt, explain: wantsExplanation(headers), keep: true }
      return success(fromCore(await engine.scrapeAny(toCore(input), call), settings))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/scrape/{id}',
    summary: 'Gives the result of a scrape again, by its `metadata.scrapeId`.',
    output: output('status'),
    run: async ({ engine, ids, team, settings }) =>
      success(fromCoreLater(await engine.findScrape(ids['id'] ?? '', { team }), settings)),
  }),
  ...jobRows(v1Voice),
]
