// Routes about one page.
import { z } from 'zod'

import { explainReads, wantsExplanation } from '../request/explain.ts'
import { loadFailures, route, success, type Route } from '../route/route.ts'
import { agentHints, documentHints } from '../versions/agent-hints.ts'
import type { ApiVersion } from '../versions/api-version.ts'

/** Returns the routes that scrape a page, and that return an earlier result by its id, for one API version. */
export function scrapeRows({ version, scrape, documentAnswer, hasHints, ...api }: ApiVersion): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: `/${version}/scrape`,
      group: 'scrape',
      summary: 'Scrapes a page and returns its content in the requested formats.',
      input: scrape.input,
      example: { url: 'https://example.com', formats: ['markdown', 'links'] },
      engineChecks: scrape.engineChecks ?? false,
      reads: explainReads,
      fails: loadFailures,
      loadsPage: true,
      output: (schemas) =>
        z.object({
          success: z.literal(true),
          data: api.documentAnswerSchema(schemas),
          ...(hasHints && { agent_hints: agentHints }),
        }),
      run: async ({ engine, input, headers, caller, signal, filesAt, settings }) => {
        const call = {
          ...caller,
          signal,
          filesAt,
          explain: wantsExplanation(headers),
          keep: true,
          encoded: true,
        }
        const document = await engine.unchecked.scrape(scrape.toCore(input), call)
        return { ...success(documentAnswer(document, settings)), ...(hasHints && documentHints(document)) }
      },
    }),
    route({
      method: 'GET',
      path: `/${version}/scrape/{id}`,
      group: 'scrape',
      rate: 'status',
      summary: 'Returns the result of an earlier scrape, by its `metadata.scrapeId`.',
      fails: ['forbidden', 'not_found'],
      output: (schemas) => z.object({ success: z.literal(true), data: api.documentAnswerSchema(schemas) }),
      run: async ({ engine, params, caller, settings }) =>
        success(documentAnswer(await engine.results.find(params['id'] ?? '', { ...caller, encoded: true }), settings)),
    }),
  ]
}
