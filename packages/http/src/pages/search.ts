// The search route of one API version.
import { isRecord } from '@harvestman/ports'
import { z } from 'zod'

import { route, type Route } from '../route/route.ts'
import { agentHints, searchHints } from '../versions/agent-hints.ts'
import type { ApiVersion } from '../versions/api-version.ts'

/** Returns the route that searches the web, for one API version. It needs the `search` port. */
export function searchRow({ version, search, hasHints, asksProviders }: ApiVersion): Route {
  return route({
    method: 'POST',
    path: `/${version}/search`,
    group: 'search',
    summary: 'Searches for pages. With formats in `scrapeOptions`, each result has the content of its page.',
    input: search.input,
    engineChecks: search.engineChecks ?? false,
    example: { query: 'orb weavers', limit: 5, scrapeOptions: { formats: ['markdown'] } },
    needs: ['search'],
    ...(version === 'v2' && { words: { badBody: 'Invalid request body' } }),
    fails: ['not_configured', 'search_timeout', 'search_unavailable', 'search_failed'],
    output: () =>
      z.object({
        success: z.literal(true),
        data: search.dataSchema,
        id: z.uuid(),
        ...search.moreSchema,
        warning: z.string().optional().describe('Sources that failed, and options without effect.'),
        ...(hasHints && { agent_hints: agentHints }),
      }),
    run: async ({ engine, input, caller, signal, filesAt, settings }) => {
      const call = { ...caller, signal, filesAt, keep: true }
      const result = await engine.unchecked.search(search.toCore(input), call)
      const { id, warning } = result
      const found = search.data(result, settings)
      const data = asksProviders && asksForTools(input) ? { ...(found as object), tools: [] } : found
      const more = { ...search.more(result), ...(warning !== undefined && { warning }) }
      return { success: true as const, data, id, ...more, ...(hasHints && searchHints(result)) }
    },
  })
}

/** Returns whether a search asks for the tools of data providers. There are none. */
function asksForTools(input: unknown): boolean {
  const sources = isRecord(input) ? input['sources'] : undefined
  return Array.isArray(sources) && sources.some((one) => (isRecord(one) ? one['type'] : one) === 'alexandria')
}
