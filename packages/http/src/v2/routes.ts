import { z } from 'zod'

import { explainReads, wantsExplanation } from '../explain.ts'
import { jobRows } from '../jobs/rows.ts'
import { route, success, type Route, type Schemas } from '../route.ts'
import { v2Voice } from './voice.ts'

const output = ({ document }: Schemas) => z.object({ success: z.literal(true), data: document })

/** The rows of version 2. It speaks the words of the engine, so nothing is translated. */
export const v2Routes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v2/scrape',
    summary: 'Loads a page and gives its content in the formats asked for.',
    input: ({ scrape }) => scrape,
    engineChecks: true,
    reads: explainReads,
    output,
    run: async ({ engine, input, headers, team, signal, filesAt }) => {
      const call = { team, signal, filesAt, explain: wantsExplanation(headers), keep: true }
      return success(await engine.scrapeAny(input, call))
    },
  }),
  route({
    method: 'GET',
    path: '/v2/scrape/{id}',
    summary: 'Gives the result of a scrape again, by its `metadata.scrapeId`.',
    output,
    run: async ({ engine, ids, team }) => success(await engine.findScrape(ids['id'] ?? '', { team })),
  }),
  ...jobRows(v2Voice),
]
