import { z } from 'zod'

import { route, success, type Route, type Schemas } from '../route.ts'

const output = ({ document }: Schemas) => z.object({ success: z.literal(true), data: document })

/** The rows of version 2. It speaks the words of the engine, so nothing is translated. */
export const v2Routes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v2/scrape',
    summary: 'Loads a page and gives its content in the formats asked for.',
    input: ({ scrape }) => scrape,
    engineChecks: true,
    output,
    run: async ({ engine, input, team, signal }) =>
      success(await engine.scrapeAny(input, { team, signal, keep: true })),
  }),
  route({
    method: 'GET',
    path: '/v2/scrape/{id}',
    summary: 'Gives the result of a scrape again, by its `metadata.scrapeId`.',
    output,
    run: async ({ engine, ids, team }) => success(await engine.findScrape(ids['id'] ?? '', { team })),
  }),
]
